/** `routingDefaults` that contradict each other: requests that do not change one of them fail. */

import { TRIANGLE_TOLERANCE } from '../native/number-limits.js';
import type { ConfigWarning } from './diagnostic.js';
import { type ConfigNode, memberOf } from './document.js';
import type { ConfigValue } from './fields.js';

type Defaults = Readonly<Record<string, ConfigValue>>;

const TRIANGLE_FACTORS = ['triangleSafetyFactor', 'triangleSlopeFactor', 'triangleTimeFactor'];

/** Warns at a member of `node` that contradicts others. `defaults` are the values read from it. */
export function warnOfContradictions(
  node: ConfigNode | undefined,
  defaults: Defaults,
  warnings: ConfigWarning[],
): void {
  if (node?.kind !== 'object') return;
  /** The first of these members that the file gives is the one to change. */
  const warn = (names: readonly string[], fault: string, failing: string) => {
    const places = names.map((name) => memberOf(node, name)?.value.place);
    const place = places.find((place) => place !== undefined) ?? node.place;
    warnings.push({ ...place, fault, outcome: `so ${failing} fail unless they give other values` });
  };
  const amount = (name: string) => (typeof defaults[name] === 'number' ? defaults[name] : 0);
  const slacks = amount('boardSlack') + amount('alightSlack');
  if (amount('transferSlack') < slacks) {
    const expected = `expected transferSlack of at least ${slacks} (boardSlack + alightSlack)`;
    const names = ['transferSlack', 'boardSlack', 'alightSlack'];
    warn(names, `${expected}, found ${amount('transferSlack')}`, 'requests');
  }
  const factors = TRIANGLE_FACTORS.map(amount);
  const sum = factors.reduce((total, factor) => total + factor, 0);
  if (defaults.optimize === 'TRIANGLE' && Math.abs(sum - 1) > TRIANGLE_TOLERANCE) {
    const expected = `expected ${TRIANGLE_FACTORS.join(', ')} with the sum 1`;
    warn([...TRIANGLE_FACTORS, 'optimize'], `${expected}, found ${sum}`, 'plans');
  }
}
