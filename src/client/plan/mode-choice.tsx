/** The choice of the mode. */

import { change, state } from '../state/address.js';
import { useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Segments, Select } from '../ui/controls.js';
import { BikeTriangle } from './bike-triangle.js';
import { GROUP_ICONS, GROUPS, offeredOptions, optionOf, type TravelMode } from './travel-modes.js';

/** The usual modes, all visible. */
export function ModeChoice() {
  const { info } = useShown();
  const options = offeredOptions(info);
  const groups = GROUPS.filter((group) => options.some((option) => option.group === group));
  return (
    <Segments
      label={t('plan.mode')}
      value={optionOf(state.mode.value, info).group}
      options={groups.map((group) => [group, t(`plan.group.${group}`), GROUP_ICONS[group]] as const)}
      onChange={(group) => choose(options.find((option) => option.group === group)?.mode)}
    />
  );
}

/** The modes of the same group, if there are several, and the priorities by bicycle. */
export function ModeVariants() {
  const { info } = useShown();
  const chosen = optionOf(state.mode.value, info);
  const variants = offeredOptions(info).filter(({ group }) => group === chosen.group);
  const cycles = chosen.value.includes('BICYCLE') && !chosen.value.includes('PARK');
  return (
    <>
      {variants.length > 1 && (
        <Select
          label={t(chosen.group === 'transit' ? 'plan.toStops' : 'plan.whichBike')}
          value={chosen.mode}
          options={variants.map(({ mode }) => [mode, t(`plan.way.${mode}`)] as const)}
          onChange={choose}
        />
      )}
      {cycles && <BikeTriangle />}
    </>
  );
}

function choose(mode: TravelMode | undefined): void {
  if (mode) change({ mode });
}
