/** The reference of all configuration files, written from the tables that read them. */

import { BUILD_KEYS } from '../../src/config/build-config.js';
import type { ConfigValue, Field } from '../../src/config/fields.js';
import { ROUTER_CONFIG_FIELDS } from '../../src/config/router-config.js';
import { ROUTING_DEFAULT_KEYS } from '../../src/config/routing-default-keys.js';
import { environmentName, SERVER_SETTINGS } from '../../src/config/server-config.js';
import { PLAN } from '../../src/http/params/descriptions.js';
import type { ParameterSchema } from '../../src/http/params/parameter-schema.js';
import { unusedKeys } from '../support/unused-keys.js';

const ROUTER_SUMMARIES: Readonly<Record<string, string>> = {
  routingDefaults: 'defaults of request parameters, see below',
  timeout: 'seconds for all itineraries of a plan: `timeouts` with one element',
  timeouts: 'seconds for the 1st, 2nd, … itinerary from the start of the search; the last repeats (default `[5,4,2]`)',
  requestLogFile:
    'file that gets one line per plan request: when it came and from which address, `ARRIVE` or `DEPART`, the time of travel, modes, latitude and longitude of start and destination, and for each itinerary its seconds and its number of vehicles. A relative path starts at the working directory; in an upload the key is ignored',
  boardTimes: 'seconds added on boarding, by mode',
  alightTimes: 'seconds added on alighting, by mode',
  useFlexService: 'only gives a warning here (elsewhere: plan trips with flexible services)',
  updaters: 'sources of [live data](live-data.md), each with a `type`',
};

/** Defaults that are not named like a parameter of requests; the engine has their values. */
export const SEARCH_DEFAULTS: Readonly<Record<string, readonly [byDefault: ConfigValue | undefined, summary: string]>> =
  {
    wheelchairAccessible: [false, 'the same as `wheelchair`'],
    maxTransferWalkDistance: [undefined, 'longest walk of a transfer, metres; no limit when absent'],
    stairsReluctance: [2, 'cost of a second on stairs'],
    turnReluctance: [1, 'cost of a second of turning'],
    carSpeed: [40, 'fastest speed of cars, metres per second; streets have speeds of their own'],
    modes: ['TRANSIT,WALK', 'the parameter `mode`'],
    transferSlack: [0, 'the parameter `minTransferTime`'],
    useUnpreferredRoutesPenalty: [300, 'cost of boarding a route of `unpreferredRoutes` or `unpreferredAgencies`'],
    maxSlope: [0.0833, 'steepest slope for wheelchairs: metres up for each metre'],
    driveOnRight: [true, 'vehicles keep to the right, so that turns to the left take longer'],
    bikeRentalPickupTime: [60, 'seconds to take a rented bike'],
    bikeRentalPickupCost: [120, 'cost of taking it'],
    bikeRentalDropoffTime: [30, 'seconds to return a rented bike'],
    bikeRentalDropoffCost: [30, 'cost of returning it'],
    bikeParkTime: [60, 'seconds to park a bike'],
    bikeParkCost: [120, 'cost of parking it'],
    carDropoffTime: [120, 'seconds to park a car, or to get out of it'],
    elevatorBoardTime: [90, 'seconds to board a lift'],
    elevatorBoardCost: [90, 'cost of boarding it'],
    elevatorHopTime: [20, 'seconds for each floor in a lift'],
    elevatorHopCost: [20, 'cost of each floor'],
  };

/** A description of the interface as the tables of the page have theirs, without a capital letter at its start. */
function uncapitalized(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1);
}

/** Default and meaning of a member of `routingDefaults`. */
function routingDefault(name: string): readonly [byDefault: string, summary: string] {
  const parameters: Readonly<Record<string, ParameterSchema>> = PLAN;
  const { description, schema } = parameters[name] ?? {};
  if (description !== undefined) return [defaultOf(schema?.default), uncapitalized(description)];
  const [byDefault, summary] = SEARCH_DEFAULTS[name] ?? [];
  if (summary === undefined) throw new Error(`SEARCH_DEFAULTS lacks ${name}`);
  return [defaultOf(byDefault), summary];
}

const FARES = [
  'Without the key, and with `"default"`, prices are those of `fare_attributes.txt` and `fare_rules.txt`. `"off"` shows none.',
  '`{ combinationStrategy: "additive", fares: [ … ] }` adds up the prices of several services; members named `fareXxx`',
  'beside or instead of the list count as well. Prices in different currencies are not added up but left out.',
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
    'value is an error that names the line and the key. `trestle check DIRECTORY` checks them without building.',
    '',
    '## server-config.json',
    'In the base path (`--basePath`). Flags (`--port 9000`) take precedence over environment variables, and these over the file.',
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
    'In the directory with the inputs of a graph.',
    '',
    table(
      ['Key', 'Type', 'Default', 'Meaning'],
      Object.entries(BUILD_KEYS).map(([name, { field, byDefault, summary }]) => [
        code(name),
        typeOf(field),
        defaultOf(byDefault),
        field.kind === 'unused' ? `only gives a warning here (elsewhere: ${summary})` : summary,
      ]),
    ),
    '',
    '### fares',
    ...FARES,
    '',
    '## router-config.json',
    'In the directory of a router. It takes precedence over the one stored in its graph. `trestle plan`, `trestle matrix` and `trestle job` read only that one.',
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
    'Defaults of the parameters of a request, and values that no request gives (seconds, metres, metres per second; a',
    'cost of 1 is about a second in a vehicle). If `transferSlack` is below the sum of `boardSlack` and `alightSlack`, or',
    '`optimize` is `TRIANGLE` and the sum of the triangle factors is not 1, requests that do not give other values fail.',
    '',
    table(
      ['Key', 'Type', 'Default', 'Meaning'],
      Object.entries(ROUTING_DEFAULT_KEYS)
        .filter(([, { kind }]) => kind !== 'unused')
        .map(([name, field]) => [code(name), typeOf(field), ...routingDefault(name)]),
    ),
    '',
    'These have no effect here and give a warning:',
    `${unusedKeys(ROUTING_DEFAULT_KEYS).map(code).join(', ')}.`,
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
    case 'names':
      return field.form.expected;
    case 'object':
      return 'object';
    case 'map':
      return `object of ${typeOf(field.values)}`;
    case 'either':
      return field.expected;
    case 'optional':
    case 'unused':
      return typeOf(field.field);
    case 'any':
      return 'anything';
  }
}
