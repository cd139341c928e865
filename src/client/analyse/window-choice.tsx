/** One departure, or all departures of a while. */

import { change, state } from '../state/address.js';
import { percentage } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Segments, Select } from '../ui/controls.js';

const WINDOWS = ['0', '30', '60', '120'] as const;
const PERCENTILES = ['5', '25', '50', '75', '95'] as const;

/** Hidden for a single departure, where there is nothing to choose. */
export function WindowChoice() {
  if (state.reachBy.value !== 'transit') return null;
  const window = String(state.window.value);
  const options = WINDOWS.some((offered) => offered === window) ? WINDOWS : [...WINDOWS, window];
  return (
    <section class="part">
      <Select
        label={t('analyse.window')}
        value={window}
        options={options.map((minutes) => [
          minutes,
          minutes === '0' ? t('analyse.oneDeparture') : t('analyse.windowOf', { count: Number(minutes) }),
        ])}
        onChange={(minutes) => change({ window: Number(minutes) })}
      />
      {state.window.value > 0 && (
        <>
          <Segments
            label={t('analyse.percentile')}
            value={state.percentile.value}
            options={PERCENTILES.map((percentile) => [percentile, percentage(Number(percentile), locale.value)])}
            onChange={(percentile) => change({ percentile })}
          />
          <p class="hint">
            {t('analyse.percentileMeans', { share: percentage(Number(state.percentile.value), locale.value) })}
          </p>
        </>
      )}
    </section>
  );
}
