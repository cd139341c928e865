/** A rental station. */

import { useMemo } from 'preact/hooks';
import { NOTHING } from '../map/features.js';
import { useMapData } from '../map/use-map.js';
import { change } from '../state/address.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { Title } from '../ui/title.js';
import { coloredPoints } from './explore-features.js';
import { useFit } from './fit.js';
import { Answer } from './parts.js';

const REFRESH_MS = 30_000;
/** The number with which the interface says "unknown". */
const UNKNOWN_SPACES = 2_147_483_647;

/** The station with this id, with its vehicles and free spaces. */
export function RentalView({ id }: { id: string }) {
  const { api } = useShown();
  const ask = async (signal: AbortSignal) => (await api.rentals(signal)).find((one) => one.id === id) ?? null;
  const live = useLive(ask, [api, id], REFRESH_MS);
  const station = live.value;
  const points = station ? [{ lat: station.y, lon: station.x }] : [];
  const mark = useMemo(() => (station ? coloredPoints(points) : NOTHING), [station?.x, station?.y]);
  useMapData('explore-chosen', mark);
  useFit(station?.id, points);
  return (
    <Answer live={live}>
      {({ name, x, y, bikesAvailable, spacesAvailable, networks, isCarStation, realTimeData }) => (
        <article class="thing">
          <Title name={name} />
          <h2>{name}</h2>
          <p class="hint">
            {[networks?.join(', '), realTimeData ? t('explore.live') : t('explore.notLive')]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <dl class="counts">
            <div>
              <dt>{isCarStation ? t('explore.cars') : t('explore.bikesThere')}</dt>
              <dd>{bikesAvailable}</dd>
            </div>
            <div>
              <dt>{t('explore.spaces')}</dt>
              <dd>{spacesAvailable === UNKNOWN_SPACES ? '–' : spacesAvailable}</dd>
            </div>
          </dl>
          <Button icon="pin" onClick={() => change({ tab: 'plan', from: { lat: y, lon: x, name } })}>
            {t('explore.fromHere')}
          </Button>
        </article>
      )}
    </Answer>
  );
}
