/** The places of a point set: how many are reached by minute, or how long it takes to each. */

import type { AnalysisApi } from '../api/analysis.js';
import { change, state } from '../state/address.js';
import { useLive } from '../state/live.js';
import { t } from '../text/texts.js';
import { Segments, Select } from '../ui/controls.js';
import { Outcome } from '../ui/outcome.js';
import { OpportunityPlot } from './opportunity-plot.js';
import { PlacesMap } from './places-map.js';
import { placesAs, type ReachQuery } from './reach-query.js';

interface PlacesProps {
  api: AnalysisApi;
  query: ReachQuery | undefined;
}

/** Nothing where the server has no point sets, unless a link names one: the reason why nothing is shown has to be seen. */
export function PlacesForm({ api, query }: PlacesProps) {
  const { value: sets = [], problem, retry } = useLive((signal) => api.pointSets(signal), [api]);
  return (
    <Outcome class="may-be-empty" problem={problem} onRetry={retry}>
      {(sets.length > 0 || state.places.value !== '') && <ChosenPlaces api={api} query={query} sets={sets} />}
    </Outcome>
  );
}

/** The choice of a point set, and what was chosen. */
function ChosenPlaces({ api, query, sets }: PlacesProps & { sets: readonly string[] }) {
  const chosen = state.places.value;
  // A link may name one that the server does not have.
  const all = chosen === '' || sets.includes(chosen) ? sets : [...sets, chosen];
  return (
    <section class="part">
      <Select
        label={t('analyse.places')}
        value={chosen}
        options={[['', t('analyse.noPlaces')], ...all.map((id): [string, string] => [id, id])]}
        onChange={(places) => change({ places, property: '' })}
      />
      {chosen !== '' && state.reachWay.value === 'from' && (
        <Segments
          label={t('analyse.placesAs')}
          value={state.placesAs.value}
          options={[
            ['plot', t('analyse.plot')],
            ['map', t('analyse.onMap')],
          ]}
          onChange={(placesAs) => change({ placesAs })}
        />
      )}
      {chosen !== '' && query && placesAs() === 'plot' && <OpportunityPlot api={api} query={query} places={chosen} />}
      {chosen !== '' && query && placesAs() === 'map' && <PlacesMap api={api} query={query} places={chosen} />}
    </section>
  );
}
