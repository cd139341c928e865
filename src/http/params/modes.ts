/** The `mode` parameter: qualified modes such as `BICYCLE_RENT`, and what each switches on. */

import { modesOf, type QualifiedMode, readQualifiedMode, TRANSIT_MODES } from '../../native/modes.js';
import type { Mode } from '../../native/types.js';
import { quoted } from '../../quoted.js';
import { BadParameter } from './bad-parameter.js';

/** The modes of a request after its qualifiers have been resolved. */
interface ModeSelection {
  modes: Mode[];
  bikeRental: boolean;
  bikePark: boolean;
  carPark: boolean;
  kissAndRide: boolean;
}

/** Reads a comma list of `MODE[_QUALIFIER…]` tokens, or several. */
export function parseModes(texts: string | readonly string[], parameter = 'mode'): ModeSelection {
  const qualified = [texts]
    .flat()
    .flatMap(modesOf)
    .map((token) => parseQualifiedMode(token, parameter));
  const modes = new Set<Mode>();
  for (const { mode } of qualified) {
    if (mode === 'TRANSIT') for (const transit of TRANSIT_MODES) modes.add(transit);
    else modes.add(mode);
  }
  const usesTransit = TRANSIT_MODES.some((mode) => modes.has(mode));
  const has = (mode: Mode, test: (qualifiers: string[]) => boolean) =>
    qualified.some((q) => q.mode === mode && test(q.qualifiers));
  const bikeRental = has('BICYCLE', (q) => q.includes('RENT'));
  // Renting a bike, or leaving a car before transit, includes walking.
  if (bikeRental || (usesTransit && modes.has('CAR'))) modes.add('WALK');
  return {
    modes: [...modes],
    bikeRental,
    bikePark: usesTransit && has('BICYCLE', (q) => q.includes('PARK')),
    carPark: usesTransit && has('CAR', (q) => q.includes('PARK')),
    kissAndRide: usesTransit && has('CAR', (q) => !q.includes('PARK')),
  };
}

/** Reads one `MODE[_QUALIFIER…]` token. */
export function parseQualifiedMode(token: string, parameter: string): QualifiedMode {
  const found = readQualifiedMode(token);
  if (typeof found === 'string') throw new BadParameter(parameter, `${quoted(token)} ${found}`);
  return found;
}
