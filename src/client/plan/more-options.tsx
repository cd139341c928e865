/** Less common options of a trip. */

import { change, state } from '../state/address.js';
import { units } from '../state/preferences.js';
import { useShown } from '../state/shown.js';
import { distance } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Check, Select } from '../ui/controls.js';
import { modeName } from '../ui/route-badge.js';
import { ModeVariants } from './mode-choice.js';
import { offeredOptions, optionOf, transitModes } from './travel-modes.js';

/** Walking limits to choose from, metres; 0 for the server's default. */
const WALKS = [0, 250, 500, 1000, 2000, 5000];

/** Folded; shows the number of options in use. */
export function MoreOptions() {
  const { info } = useShown();
  const option = optionOf(state.mode.value, info);
  const usesTransit = option.group === 'transit';
  const isVariant = offeredOptions(info).find(({ group }) => group === option.group) !== option;
  const chosen = [state.wheelchair, state.fewTransfers, state.maxWalk, state.bike].map(({ value }) => value);
  // A link may have another limit.
  const walks = [...new Set([...WALKS, state.maxWalk.value])].sort((one, other) => one - other);
  const count = [...chosen, isVariant, state.without.value.length > 0].filter(Boolean).length;
  return (
    <details class="more-options">
      <summary>
        {t('plan.options')}
        {count > 0 && <span class="count">{count}</span>}
      </summary>
      <div class="options">
        <ModeVariants />
        <Check
          label={t('plan.wheelchair')}
          checked={state.wheelchair.value}
          onChange={(wheelchair) => change({ wheelchair })}
        />
        {usesTransit && (
          <Check
            label={t('plan.fewTransfers')}
            checked={state.fewTransfers.value}
            onChange={(fewTransfers) => change({ fewTransfers })}
          />
        )}
        <Select
          label={t('plan.maxWalk')}
          value={String(state.maxWalk.value)}
          options={walks.map((metres) => [String(metres), walkText(metres)] as const)}
          onChange={(metres) => change({ maxWalk: Number(metres) })}
        />
        {usesTransit && transitModes(info).length > 1 && <Vehicles modes={transitModes(info)} />}
      </div>
    </details>
  );
}

function walkText(metres: number): string {
  return metres === 0 ? t('plan.usual') : distance(metres, { locale: locale.value, units: units.value });
}

/** The transit modes that may be used; at least one. */
function Vehicles({ modes }: { modes: readonly string[] }) {
  const without = state.without.value;
  const set = (mode: string, used: boolean) => {
    const next = used ? without.filter((one) => one !== mode) : [...without, mode];
    change({ without: next });
  };
  return (
    <fieldset class="vehicles">
      <legend>{t('plan.vehicles')}</legend>
      {modes.map((mode) => (
        <Check
          key={mode}
          label={modeName(mode)}
          checked={!without.includes(mode)}
          disabled={without.length === modes.length - 1 && !without.includes(mode)}
          onChange={(used) => set(mode, used)}
        />
      ))}
    </fieldset>
  );
}
