/** The `fares` of build-config.json: a name, an object with a type, or several combined. */

import { quoted } from '../quoted.js';
import { didYouMean } from '../suggestion.js';
import { ConfigError, type ConfigWarning } from './diagnostic.js';
import { type ConfigNode, memberOf } from './document.js';
import { AMOUNT, type Fields, read, TEXT } from './fields.js';

/** One fare service; several add up. */
export interface FareServiceConfig {
  service: 'default' | 'san-francisco' | 'new-york' | 'seattle' | 'bike-rental-time-based';
  /** `bike-rental-time-based`: ISO 4217 code. */
  currency?: string;
  /** `bike-rental-time-based`: prices of a bike used for less than some time, in whole units of the currency. */
  prices?: { belowSeconds: number; amount: number }[];
  /** `seattle`: agencies (`feed:agency`) whose highest fare pays for all rides on them. */
  maxFareAgencies?: string[];
}

/** Values of `fares` and of its `type`; `off` means no service. */
export const FARE_SERVICE_NAMES = [
  'default',
  'off',
  'san-francisco',
  'new-york',
  'seattle',
  'bike-rental-time-based',
] as const;

type ServiceName = (typeof FARE_SERVICE_NAMES)[number];
type ObjectNode = Extract<ConfigNode, { kind: 'object' }>;

/** Reads the value of `fares`. Throws `ConfigError`. */
export function parseFareServices(node: ConfigNode, warnings: ConfigWarning[]): FareServiceConfig[] {
  if (node.kind !== 'object')
    return service(serviceName(node), { kind: 'object', members: [], place: node.place }, warnings);
  const combination = memberOf(node, 'combinationStrategy')?.value;
  if (combination !== undefined) return combined(node, combination, warnings);
  const type = memberOf(node, 'type')?.value;
  return service(type === undefined ? 'default' : serviceName(type), node, warnings);
}

/** The elements of a list `fares`, and members `fareXxx`. */
function combined(node: ObjectNode, strategy: ConfigNode, warnings: ConfigWarning[]): FareServiceConfig[] {
  read(strategy, { kind: 'string', oneOf: ['additive'] }, warnings);
  const list = memberOf(node, 'fares')?.value;
  if (list !== undefined && list.kind !== 'list') throw new ConfigError(list.place, 'expected a list of fare services');
  const named = node.members.filter(({ name }) => name.startsWith('fare') && name !== 'fares');
  const parts = [...(list?.items ?? []), ...named.map(({ value }) => value)];
  if (parts.length === 0)
    throw new ConfigError(node.place, 'expected fares to combine: a list "fares" or members "fareXxx"');
  const known = new Set(['combinationStrategy', 'type', 'fares', ...named.map(({ name }) => name)]);
  for (const { name, place } of node.members) {
    if (!known.has(name)) warnings.push({ ...place, fault: 'unknown key', outcome: 'ignored' });
  }
  return parts.flatMap((part) => parseFareServices(part, warnings));
}

function serviceName(node: ConfigNode): ServiceName {
  const name = FARE_SERVICE_NAMES.find((known) => node.kind === 'scalar' && node.value === known);
  if (name !== undefined) return name;
  const found = node.kind === 'scalar' ? String(node.value) : `a ${node.kind}`;
  const hint = didYouMean(found, FARE_SERVICE_NAMES, '"');
  throw new ConfigError(node.place, `expected one of ${FARE_SERVICE_NAMES.join(', ')}, found ${found}${hint}`);
}

/** Members that a service reads besides its type. */
const OPTIONS: Partial<Record<ServiceName, Fields>> = {
  seattle: { useMaxFareStrategy: { kind: 'list', items: TEXT } },
  'bike-rental-time-based': { currency: TEXT, prices: { kind: 'map', values: AMOUNT } },
};

function service(name: ServiceName, node: ObjectNode, warnings: ConfigWarning[]): FareServiceConfig[] {
  const options = read(node, { kind: 'object', fields: { type: TEXT, ...OPTIONS[name] } }, warnings) as {
    currency?: string;
    prices?: Record<string, number>;
    useMaxFareStrategy?: string[];
  };
  switch (name) {
    case 'off':
      return [];
    case 'seattle':
      return [{ service: name, maxFareAgencies: options.useMaxFareStrategy ?? [] }];
    case 'bike-rental-time-based':
      return [
        { service: name, currency: currency(node, options.currency), prices: rentalPrices(node, options.prices) },
      ];
    default:
      return [{ service: name }];
  }
}

function currency(node: ObjectNode, code: string | undefined): string {
  if (code !== undefined && /^[A-Z]{3}$/.test(code)) return code;
  throw new ConfigError(memberOf(node, 'currency')?.value.place ?? node.place, 'expected a "currency" such as "EUR"');
}

function rentalPrices(node: ObjectNode, prices: Record<string, number> | undefined) {
  const steps = Object.entries(prices ?? {}).map(([time, amount]) => ({ belowSeconds: seconds(node, time), amount }));
  if (steps.length > 0) return steps.sort((a, b) => a.belowSeconds - b.belowSeconds);
  const expected = 'expected "prices" such as { "30": 1.00, "1:00": 2.50 }';
  throw new ConfigError(memberOf(node, 'prices')?.value.place ?? node.place, expected);
}

/** Minutes `30`, or hours and minutes `1:30`. */
function seconds(node: ObjectNode, time: string): number {
  const match = /^(?:(\d{1,4}):)?(\d{1,6})$/.exec(time);
  if (match) return (Number(match[1] ?? 0) * 60 + Number(match[2])) * 60;
  const place = memberOf(node, 'prices')?.value.place ?? node.place;
  throw new ConfigError(place, `expected times in minutes or as hours:minutes, found ${quoted(time)}`);
}
