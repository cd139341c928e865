/** The modes and optimizations that the addon knows, and how requests and settings write them. */

import type { Mode } from './types.js';

/** All transit modes, in the order of their numbers. */
export const TRANSIT_MODES = [
  'TRAM',
  'SUBWAY',
  'RAIL',
  'BUS',
  'FERRY',
  'CABLE_CAR',
  'GONDOLA',
  'FUNICULAR',
  'AIRPLANE',
] as const satisfies readonly Mode[];

/** What a trip can be optimized for. */
export const OPTIMIZATIONS = ['QUICK', 'SAFE', 'FLAT', 'GREENWAYS', 'TRIANGLE', 'TRANSFERS'] as const;

const STREET_MODES = ['WALK', 'BICYCLE', 'CAR'] as const satisfies readonly Mode[];
const MODES = [...STREET_MODES, 'TRANSIT', ...TRANSIT_MODES] as const;
const QUALIFIERS = ['RENT', 'HAVE', 'PARK', 'KEEP'];

/** A mode with its qualifiers. */
export interface QualifiedMode {
  mode: Mode | 'TRANSIT';
  qualifiers: string[];
}

/**
 * The elements of a comma list of modes. Commas after the last one have no effect: clients that write one after each mode
 * were never refused. An empty element before the last is refused, as the reference does.
 */
export function modesOf(text: string): string[] {
  const elements = text.split(',').map((element) => element.trim());
  while (elements.length > 1 && elements.at(-1) === '') elements.pop();
  return elements;
}

/** Reads one `MODE[_QUALIFIER…]`; what is wrong with another text. */
export function readQualifiedMode(text: string): QualifiedMode | string {
  // The only mode whose name contains the separator.
  if (text === 'CABLE_CAR') return { mode: 'CABLE_CAR', qualifiers: [] };
  const [name = '', ...qualifiers] = text.split('_').map((part) => part.trim());
  const mode = MODES.find((known) => known === name);
  if (mode === undefined) return `is not a mode: modes are ${MODES.join(', ')}`;
  if (qualifiers.every((qualifier) => QUALIFIERS.includes(qualifier))) return { mode, qualifiers };
  return `has an unknown qualifier: qualifiers are ${QUALIFIERS.join(', ')}`;
}
