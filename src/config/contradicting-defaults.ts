/** `routingDefaults` whose members contradict each other: with them, the engine would refuse every plan. */

import { TRIANGLE_TOLERANCE } from '../native/number-limits.js';
import { ConfigError } from './diagnostic.js';
import type { ConfigNode } from './document.js';
import type { ConfigValue } from './fields.js';

type Defaults = Readonly<Record<string, ConfigValue>>;

const TRIANGLE_FACTORS = ['triangleSafetyFactor', 'triangleSlopeFactor', 'triangleTimeFactor'];

/** Throws `ConfigError` at a member of `node` that contradicts others. `defaults` are the values read from it. */
export function refuseContradictions(node: ConfigNode | undefined, defaults: Defaults): void {
  if (node?.kind !== 'object') return;
  /** The first of these members that the file gives is the one to change. */
  const refuse = (names: readonly string[], expected: string) => {
    const places = names.map((name) => node.members.findLast((member) => member.name === name)?.value.place);
    throw new ConfigError(places.find((place) => place !== undefined) ?? node.place, expected);
  };
  const amount = (name: string) => (typeof defaults[name] === 'number' ? defaults[name] : 0);
  const slacks = amount('boardSlack') + amount('alightSlack');
  if (amount('transferSlack') < slacks) {
    const expected = `expected transferSlack not below boardSlack + alightSlack = ${slacks}`;
    refuse(['transferSlack', 'boardSlack', 'alightSlack'], `${expected}, found ${amount('transferSlack')}`);
  }
  const factors = TRIANGLE_FACTORS.map(amount);
  const sum = factors.reduce((total, factor) => total + factor, 0);
  if (defaults.optimize === 'TRIANGLE' && Math.abs(sum - 1) > TRIANGLE_TOLERANCE) {
    refuse([...TRIANGLE_FACTORS, 'optimize'], `expected ${TRIANGLE_FACTORS.join(', ')} with the sum 1, found ${sum}`);
  }
}
