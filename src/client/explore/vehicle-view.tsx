/** A vehicle: where it is, its trip, its delay and its next stops. */

import { useMemo } from 'preact/hooks';
import { NOTHING } from '../map/features.js';
import { useMapData } from '../map/use-map.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { clockTime, localDateTime } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { coloredPoints } from './explore-features.js';
import { Answer } from './parts.js';
import { TripView } from './trip-view.js';

const REFRESH_MS = 15_000;

export function VehicleView({ id }: { id: string }) {
  const { api, calendar } = useShown();
  const ask = async (signal: AbortSignal) => (await api.vehicles(signal)).find((one) => one.id === id) ?? null;
  const live = useLive(ask, [api, id], REFRESH_MS);
  const vehicle = live.value;
  const mark = useMemo(() => (vehicle ? coloredPoints([vehicle]) : NOTHING), [vehicle?.lat, vehicle?.lon]);
  useMapData('explore-chosen', mark);
  const today = localDateTime(Date.now(), calendar.timeZone).date;
  return (
    <Answer live={live}>
      {({ label, feedId, tripId, timestamp }) => (
        <>
          <p class="live-line">
            {t('explore.vehicle', { name: label || id })}
            {timestamp !== undefined &&
              ` · ${t('explore.seenAt', { time: clockTime(timestamp * 1000, calendar.timeZone, locale.value) })}`}
          </p>
          {tripId === undefined || feedId === undefined ? (
            <p class="hint">{t('explore.noTrip')}</p>
          ) : (
            <TripView key={tripId} id={`${feedId}:${tripId}`} date={today} />
          )}
        </>
      )}
    </Answer>
  );
}
