/** The choice of a scenario. */

import { signal } from '@preact/signals';
import type { AnalysisApi } from '../api/analysis.js';
import { useLive } from '../state/live.js';
import { t } from '../text/texts.js';
import { Select } from '../ui/controls.js';
import { Outcome } from '../ui/outcome.js';

/** Grows when scenarios were changed here, so that lists are requested again. */
export const scenarioChanges = signal(0);

/** A list of the router's scenarios, with the schedule as it is. */
export function ScenarioChoice(props: {
  api: AnalysisApi;
  label: string;
  value: string;
  onChange: (id: string) => void;
}) {
  const { api, label, value, onChange } = props;
  const ask = (abort: AbortSignal) => api.scenarios(abort);
  const { value: scenarios, problem, retry } = useLive(ask, [api, scenarioChanges.value]);
  const ids = Object.keys(scenarios ?? {});
  // A link may name one that has been deleted since.
  const all = value === '' || ids.includes(value) ? ids : [...ids, value];
  return (
    <Outcome problem={problem} onRetry={retry}>
      <Select
        label={label}
        value={value}
        options={[
          ['', t('analyse.schedule')],
          ...all.map((id): [string, string] => [id, scenarios?.[id] ? `${id} – ${scenarios[id]}` : id]),
        ]}
        onChange={onChange}
      />
    </Outcome>
  );
}
