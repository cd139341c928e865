/** The choice of the second side of a comparison: another origin, time or scenario. */

import type { AnalysisApi } from '../api/analysis.js';
import { PlaceInput } from '../place-search/place-input.js';
import { change, state } from '../state/address.js';
import { t } from '../text/texts.js';
import { InputField, Segments, Select } from '../ui/controls.js';
import { useMoment } from '../ui/moment-field.js';
import { ScenarioChoice } from './scenario-choice.js';

const WITH = ['none', 'origin', 'time', 'scenario'] as const;

/** The choice and its fields. */
export function CompareForm({ api }: { api: AnalysisApi }) {
  const { time } = useMoment();
  const compare = state.compare.value;
  return (
    <section class="part">
      <Select
        label={t('analyse.compare')}
        value={compare}
        options={WITH.map((one) => [one, t(`analyse.compare.${one}`)] as const)}
        onChange={(chosen) =>
          change({
            compare: chosen,
            otherTime: chosen === 'time' ? (state.otherTime.value ?? anHourAfter(time)) : undefined,
          })
        }
      />
      {compare === 'origin' && (
        <PlaceInput
          label={t('analyse.otherOrigin')}
          sign={<i class="dot second" />}
          value={state.otherOrigin.value}
          onChange={(otherOrigin) => change({ otherOrigin })}
        />
      )}
      {compare === 'time' && <OtherTime />}
      {compare === 'scenario' && (
        <ScenarioChoice
          api={api}
          label={t('analyse.otherScenario')}
          value={state.otherScenario.value}
          onChange={(otherScenario) => change({ otherScenario })}
        />
      )}
      {compare !== 'none' && <CompareAs />}
    </section>
  );
}

function OtherTime() {
  return (
    <InputField
      label={t('analyse.otherTime')}
      type="time"
      required
      value={state.otherTime.value}
      onChange={({ currentTarget }) => currentTarget.value && change({ otherTime: currentTarget.value })}
    />
  );
}

function CompareAs() {
  return (
    <Segments
      label={t('analyse.compareAs')}
      value={state.compareAs.value}
      options={[
        ['difference', t('analyse.difference')],
        ['sides', t('analyse.sides')],
      ]}
      onChange={(compareAs) => change({ compareAs })}
    />
  );
}

function anHourAfter(time: string): string {
  const hour = (Number(time.slice(0, 2)) + 1) % 24;
  return `${String(hour).padStart(2, '0')}${time.slice(2)}`;
}
