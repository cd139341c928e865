/** The tab that shows how far people get: from a place, at a time, with a scenario. */

import './analyse.css';
import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect, useMemo } from 'preact/hooks';
import { AnalysisApi } from '../api/analysis.js';
import { placeAt } from '../map/place-at.js';
import { useMapEvent } from '../map/use-map.js';
import { PlaceInput } from '../place-search/place-input.js';
import { change, state } from '../state/address.js';
import { useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Segments } from '../ui/controls.js';
import { MomentChoice, useMoment } from '../ui/moment-field.js';
import { Outcome } from '../ui/outcome.js';
import { CompareForm } from './compare-form.js';
import { CutoffChoice } from './cutoff-choice.js';
import { Downloads } from './downloads.js';
import { Legend } from './legend.js';
import { PlacesForm } from './places-form.js';
import { Reach } from './reach.js';
import { ReachMap } from './reach-map.js';
import { chosenQuery, type ReachBy } from './reach-query.js';
import { drawing } from './scenario-draft.js';
import { ScenarioForm } from './scenario-form.js';
import { WindowChoice } from './window-choice.js';

/** The form and its result. */
export function AnalysePanel() {
  const { server } = useApp();
  const { api, info } = useShown();
  const analysis = useMemo(() => new AnalysisApi(server, api, info.routerId), [server, api, info]);
  const reach = useMemo(() => new Reach(analysis), [analysis]);
  const moment = useMoment();
  const query = chosenQuery(moment, Date.now());
  // Two objects with the same meaning are one analysis.
  const key = JSON.stringify(query);
  useEffect(() => reach.compute(query), [reach, key]);
  useMapEvent('click', moveOrigin);
  return (
    <div class="analyse">
      <PlaceInput
        label={t('analyse.origin')}
        sign={<i class="dot first" />}
        value={state.origin.value}
        onChange={(origin) => change({ origin })}
      />
      {!state.origin.value && <p class="hint">{t('analyse.hint')}</p>}
      <Result reach={reach} />
      <Segments
        label={t('analyse.by')}
        value={state.reachBy.value}
        options={BY.map((by) => [by, t(`plan.group.${by}`), ICONS[by]] as const)}
        onChange={(reachBy) => change({ reachBy })}
      />
      <Segments
        label={t('analyse.direction')}
        value={state.reachWay.value}
        options={DIRECTIONS.map((direction) => [direction, t(`analyse.direction.${direction}`)] as const)}
        onChange={(reachWay) => change({ reachWay })}
      />
      <MomentChoice />
      <CutoffChoice />
      <WindowChoice />
      <CompareForm api={analysis} />
      <ScenarioForm api={analysis} />
      <PlacesForm api={analysis} query={query} />
      {query && <Downloads api={analysis} query={query} />}
      <ReachMap reach={reach} />
    </div>
  );
}

const DIRECTIONS = ['from', 'to'] as const;
const BY = ['transit', 'walk', 'bicycle', 'car'] as const satisfies readonly ReachBy[];
const ICONS = { transit: 'bus', walk: 'walk', bicycle: 'bicycle', car: 'car' } as const;

/** A click moves the origin, unless it draws a scenario. */
function moveOrigin({ target, point }: MapMouseEvent): void {
  if (drawing.value === undefined) change({ origin: placeAt(target, point.x, point.y) });
}

/** The legend, or the reason why there is no result. */
function Result({ reach }: { reach: Reach }) {
  const reached = reach.reached.value;
  return (
    <Outcome problem={reach.problem.value} onRetry={() => reach.retry()}>
      <div class="result" aria-live="polite">
        {reached && <Legend reached={reached} />}
        {reach.running.value && !reached && <p class="hint">{t('analyse.searching')}</p>}
      </div>
    </Outcome>
  );
}
