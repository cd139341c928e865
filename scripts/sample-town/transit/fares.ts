import type { Table } from './feed-files.js';
import { type Line, RouteType } from './line.js';

/** How an operator prices a ride: by the set of zones touched, or by first and last zone. */
export type FareScheme = 'zones' | 'origin-destination';

/** fare_attributes row: id, price, transfers allowed ("" for any number), seconds of validity. */
type Fare = readonly [id: string, price: string, transfers: string, seconds: string];

const ZONE_FARES: readonly (readonly [Fare, readonly string[]])[] = [
  [['ONE-A', '2.40', '', '5400'], ['A']],
  [['ONE-B', '2.10', '', '5400'], ['B']],
  [['ONE-C', '2.10', '', '5400'], ['C']],
  [
    ['TWO-AB', '3.20', '', '7200'],
    ['A', 'B'],
  ],
  [
    ['TWO-BC', '3.00', '', '7200'],
    ['B', 'C'],
  ],
  [
    ['ALL', '4.60', '', '9000'],
    ['A', 'B', 'C'],
  ],
];
const ZONES = ['A', 'B', 'C'] as const;
const PRICES = ['2.80', '4.20', '6.50'];

/** fare_attributes.txt and fare_rules.txt. */
export function fareTables(scheme: FareScheme, lines: readonly Line[], agency: string): Table[] {
  const [fares, rules] = scheme === 'zones' ? zoneFares(lines) : originDestinationFares(lines);
  return [
    {
      name: 'fare_attributes',
      header: 'fare_id,price,currency_type,payment_method,transfers,agency_id,transfer_duration',
      rows: fares.map(([id, price, transfers, seconds]) => [id, price, 'EUR', 1, transfers, agency, seconds]),
    },
    { name: 'fare_rules', header: 'fare_id,route_id,origin_id,destination_id,contains_id', rows: rules },
  ];
}

function zoneFares(lines: readonly Line[]): [Fare[], string[][]] {
  const fares = ZONE_FARES.map(([fare]) => fare);
  const rules = ZONE_FARES.flatMap(([fare, zones]) => zones.map((zone) => [fare[0], '', '', '', zone]));
  const funicular = lines.filter((line) => line.type === RouteType.funicular);
  return [
    [...fares, ['HILL', '3.50', '0', '']],
    [...rules, ...funicular.map((line) => ['HILL', line.id, '', '', ''])],
  ];
}

function originDestinationFares(lines: readonly Line[]): [Fare[], string[][]] {
  const fares: Fare[] = PRICES.map((price, i) => [`RB${i + 1}`, price, '2', '7200']);
  const rails = lines.filter((line) => line.type === RouteType.rail);
  const rules: string[][] = [];
  for (const line of rails) {
    ZONES.forEach((from, i) => {
      ZONES.forEach((to, j) => {
        rules.push([`RB${Math.abs(i - j) + 1}`, line.id, from, to, '']);
      });
    });
  }
  const others = lines.filter((line) => line.type !== RouteType.rail);
  return [
    [...fares, ['WATER', '5.00', '0', '']],
    [...rules, ...others.map((line) => ['WATER', line.id, '', '', ''])],
  ];
}
