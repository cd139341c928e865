/** One to six travel times, and how the area within them is drawn. */

import { change, state } from '../state/address.js';
import { t } from '../text/texts.js';
import { Segments } from '../ui/controls.js';

const OFFERED = [5, 10, 15, 20, 30, 45, 60, 90, 120];
const MOST = 6;

/** Minutes as buttons; the chosen ones are pressed. */
export function CutoffChoice() {
  const chosen = state.cutoffs.value;
  const all = [...new Set([...OFFERED, ...chosen])].sort((one, other) => one - other);
  const toggle = (minutes: number) => {
    const others = chosen.filter((one) => one !== minutes);
    const cutoffs = others.length === chosen.length ? [...chosen, minutes] : others;
    if (cutoffs.length > 0) change({ cutoffs: cutoffs.toSorted((one, other) => one - other) });
  };
  return (
    <>
      <fieldset class="cutoffs">
        <legend>{t('analyse.minutes')}</legend>
        {all.map((minutes) => {
          const pressed = chosen.includes(minutes);
          return (
            <button
              key={minutes}
              type="button"
              aria-pressed={pressed}
              disabled={pressed ? chosen.length === 1 : chosen.length >= MOST}
              onClick={() => toggle(minutes)}
            >
              {minutes}
            </button>
          );
        })}
      </fieldset>
      {!(state.compare.value !== 'none' && state.compareAs.value === 'difference') && (
        <Segments
          label={t('analyse.drawing')}
          value={state.drawing.value}
          options={[
            ['bands', t('analyse.bands')],
            ['surface', t('analyse.surface')],
          ]}
          onChange={(drawing) => change({ drawing })}
        />
      )}
    </>
  );
}
