/** The reference of all configuration files, written from the tables that read them. */

import { BUILD_KEYS, KEYS_WITHOUT_EFFECT } from '../../src/config/build-config.js';
import type { ConfigValue, Field } from '../../src/config/fields.js';
import { ROUTER_CONFIG_FIELDS } from '../../src/config/router-config.js';
import { DEFAULTS_WITHOUT_EFFECT, ROUTING_DEFAULT_KEYS } from '../../src/config/routing-default-keys.js';
import { environmentName, SERVER_SETTINGS } from '../../src/config/server-config.js';

const ROUTER_SUMMARIES: Readonly<Record<string, string>> = {
  routingDefaults: 'defaults of request parameters, see below',
  timeout: 'seconds for all itineraries of a plan: `timeouts` with one element',
  timeouts: 'seconds for the 1st, 2nd, … itinerary from the start of the search; the last repeats (default `[5,4,2]`)',
  requestLogFile: 'file that gets one line per plan request',
  boardTimes: 'seconds added on boarding, by mode',
  alightTimes: 'seconds added on alighting, by mode',
  useFlexService: 'plan trips with flexible services (default `false`)',
  updaters: 'sources of live data, each with a `type`',
};

const FARES = [
  'Without the key, and with `"default"`, prices are those of `fare_attributes.txt` and `fare_rules.txt`. `"off"` shows none.',
  '`{ combinationStrategy: "additive", fares: [ … ] }` adds up the prices of several services; members named `fareXxx`',
  'beside or instead of the list count as well. Prices in different currencies have no sum and are left out.',
  '',
  table(
    ['Type', 'Options', 'Prices'],
    [
      ['`default`', '', 'the cheapest fares of the feeds that cover all rides'],
      [
        '`san-francisco`',
        '',
        'BART by its fares from gate to gate, Muni with 90 minute tickets cheaper after BART, cable cars, AirBART; others by their fares, all in US dollars (operators by feed or agency id `BART`, `SFMTA`, `AirBART`)',
      ],
      [
        '`new-york`',
        '',
        'subways and buses of the agencies `MTA NYCT` and `MTABC` with their free transfers; other vehicles add nothing',
      ],
      [
        '`seattle`',
        '`useMaxFareStrategy`: list of `feed:agency`',
        'the fares of the feeds, also for youth and seniors (columns `youth_price`, `senior_price`), some for trips that name them (`fare_id`); on the listed agencies the most expensive fare covers all rides',
      ],
      [
        '`bike-rental-time-based`',
        '`currency`, `prices`: `{ "30": 1, "1:00": 2.5 }`',
        'rented bikes by the time from taking to returning them: the first price whose time (minutes or hours:minutes) is longer; none when they are kept for longer than the last',
      ],
    ],
  ),
];

/** The page `docs/configuration.md`. */
export function configurationReference(): string {
  return [
    '# Configuration files',
    'JSON with comments, unquoted keys and trailing commas. An unknown key gives a warning and is ignored. A wrong',
    'value is an error that names the line and the key. `trestle check DIRECTORY` reads them without building.',
    '',
    '## server-config.json',
    'In the base path. Flags (`--port 9000`) win over variables, variables over the file.',
    '',
    table(
      ['Key', 'Variable', 'Type', 'Default', 'Meaning'],
      Object.entries(SERVER_SETTINGS).map(([name, { field, byDefault, summary }]) => [
        code(name),
        code(environmentName(name)),
        typeOf(field),
        defaultOf(byDefault),
        summary,
      ]),
    ),
    '',
    '## build-config.json',
    'Beside the inputs of a graph.',
    '',
    table(
      ['Key', 'Type', 'Default', 'Meaning'],
      Object.entries(BUILD_KEYS).map(([name, { field, byDefault, summary }]) => [
        code(name),
        typeOf(field),
        defaultOf(byDefault),
        KEYS_WITHOUT_EFFECT.has(name) ? `no effect here, a warning (elsewhere: ${summary})` : summary,
      ]),
    ),
    '',
    '### fares',
    ...FARES,
    '',
    '## router-config.json',
    'In the directory of a router; wins over the one stored in its graph.',
    '',
    table(
      ['Key', 'Type', 'Meaning'],
      Object.entries(ROUTER_CONFIG_FIELDS).map(([name, field]) => [
        code(name),
        typeOf(field),
        ROUTER_SUMMARIES[name] ?? '',
      ]),
    ),
    '',
    '### routingDefaults',
    'Members are named like the parameters of a request (seconds, metres, metres per second). If `transferSlack` is below',
    'the sum of `boardSlack` and `alightSlack`, or `optimize` is `TRIANGLE` and the sum of the triangle factors is not 1,',
    'requests that do not give other values fail:',
    '',
    table(
      ['Key', 'Type'],
      Object.entries(ROUTING_DEFAULT_KEYS)
        .filter(([name]) => !DEFAULTS_WITHOUT_EFFECT.has(name))
        .map(([name, field]) => [code(name), typeOf(field)]),
    ),
    '',
    'These have no effect here and give a warning:',
    `${[...DEFAULTS_WITHOUT_EFFECT].map(code).join(', ')}.`,
    '',
  ].join('\n');
}

const code = (text: string) => `\`${text}\``;
const defaultOf = (value: ConfigValue | undefined) => (value === undefined ? '' : code(JSON.stringify(value)));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Limits of 32 bits are not worth a reader's time. */
function isOrdinary(limit: number | undefined): limit is number {
  return limit !== undefined && Math.abs(limit) < 2 ** 31 - 1;
}

function typeOf(field: Field): string {
  switch (field.kind) {
    case 'boolean':
      return 'true or false';
    case 'number': {
      const kind = field.integer ? 'whole number' : 'number';
      const least = isOrdinary(field.minimum) ? ` from ${field.minimum}` : '';
      return isOrdinary(field.maximum) ? `${kind}${least} to ${field.maximum}` : `${kind}${least}`;
    }
    case 'string':
      return field.oneOf === undefined ? 'text' : field.oneOf.map(code).join(', ');
    case 'list':
      return `list of ${typeOf(field.items)}`;
    case 'object':
      return 'object';
    case 'map':
      return `object of ${typeOf(field.values)}`;
    case 'either':
      return field.expected;
    case 'optional':
      return typeOf(field.field);
    case 'any':
      return 'anything';
  }
}
