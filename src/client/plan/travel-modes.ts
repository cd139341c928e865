/** Ways to travel that a router offers. */

import type { RouterInfo } from '../api/answers.js';
import type { IconName } from '../ui/icon.js';

/** Names of the modes of travel, as the state has them. */
export type TravelMode =
  | 'transit'
  | 'transit_bicycle'
  | 'transit_rental'
  | 'park_ride'
  | 'bike_ride'
  | 'kiss_ride'
  | 'walk'
  | 'bicycle'
  | 'rental'
  | 'car';

/** The groups, one of which is chosen first. */
export const GROUPS = ['transit', 'walk', 'bicycle', 'car'] as const;
type Group = (typeof GROUPS)[number];

interface TravelOption {
  readonly mode: TravelMode;
  readonly group: Group;
  /** The interface's name of the same combination; offered if the router has it. */
  readonly option: string;
  /** The parameter `mode`, with `TRANSIT` for the transit modes. */
  readonly value: string;
}

/** The usual mode of each group comes first. */
const TRAVEL_OPTIONS: readonly TravelOption[] = [
  { mode: 'transit', group: 'transit', option: 'TRANSIT', value: 'TRANSIT,WALK' },
  { mode: 'transit_bicycle', group: 'transit', option: 'TRANSIT_BICYCLE', value: 'TRANSIT,BICYCLE' },
  { mode: 'transit_rental', group: 'transit', option: 'TRANSIT_BICYCLERENT', value: 'TRANSIT,WALK,BICYCLE_RENT' },
  { mode: 'bike_ride', group: 'transit', option: 'BIKERIDE', value: 'BICYCLE_PARK,WALK,TRANSIT' },
  { mode: 'park_ride', group: 'transit', option: 'PARKRIDE', value: 'CAR_PARK,WALK,TRANSIT' },
  { mode: 'kiss_ride', group: 'transit', option: 'KISSRIDE', value: 'CAR,WALK,TRANSIT' },
  { mode: 'walk', group: 'walk', option: 'WALK', value: 'WALK' },
  { mode: 'bicycle', group: 'bicycle', option: 'BICYCLE', value: 'BICYCLE' },
  { mode: 'rental', group: 'bicycle', option: 'BICYCLERENT', value: 'WALK,BICYCLE_RENT' },
  { mode: 'car', group: 'car', option: 'CAR', value: 'CAR' },
];

export const GROUP_ICONS: Readonly<Record<Group, IconName>> = {
  transit: 'bus',
  walk: 'walk',
  bicycle: 'bicycle',
  car: 'car',
};

/** The modes of travel that a router offers, in the order above. */
export function offeredOptions({ travelOptions }: RouterInfo): readonly TravelOption[] {
  const names = new Set(travelOptions.map(({ name }) => name));
  return TRAVEL_OPTIONS.filter(({ option }) => names.has(option));
}

/** The mode with this name, or else the first one that the router offers. */
export function optionOf(name: string, info: RouterInfo): TravelOption {
  const options = offeredOptions(info);
  const found = options.find(({ mode }) => mode === name) ?? options[0];
  return found ?? { mode: 'walk', group: 'walk', option: 'WALK', value: 'WALK' };
}

/** Whether a mode is the first of its group, which is meant when only the group is named. */
export function isUsual({ mode, group }: TravelOption, info: RouterInfo): boolean {
  return offeredOptions(info).find((option) => option.group === group)?.mode === mode;
}

export function transitModes({ travelOptions }: RouterInfo): readonly string[] {
  const combined = new Set(TRAVEL_OPTIONS.map(({ option }) => option));
  return travelOptions.filter(({ name }) => !combined.has(name)).map(({ name }) => name);
}

/** The parameter `mode` without some transit modes. */
export function modeParameter({ value }: TravelOption, info: RouterInfo, without: readonly string[]): string {
  const used = transitModes(info).filter((mode) => !without.includes(mode));
  if (used.length === transitModes(info).length || used.length === 0) return value;
  return value.replace('TRANSIT', used.join(','));
}
