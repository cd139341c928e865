/** The places of a point set: how many are reached by minute, or how long it takes to each. */

import type { AnalysisApi } from '../api/analysis.js';
import { change, state } from '../state/address.js';
import { useLive } from '../state/live.js';
import { t } from '../text/texts.js';
import { Segments, Select } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { OpportunityPlot } from './opportunity-plot.js';
import { PlacesMap } from './places-map.js';
import { placesAs, type ReachQuery } from './reach-query.js';

/** Nothing where the server has no point sets. */
export function PlacesForm({ api, query }: { api: AnalysisApi; query: ReachQuery | undefined }) {
  const { value: sets, problem, retry } = useLive((signal) => api.pointSets(signal), [api]);
  if (problem) return <Failure problem={problem} onRetry={retry} />;
  if (!sets || sets.length === 0) return null;
  const chosen = state.places.value;
  return (
    <section class="part">
      <Select
        label={t('analyse.places')}
        value={chosen}
        options={[['', t('analyse.noPlaces')], ...sets.map((id): [string, string] => [id, id])]}
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
