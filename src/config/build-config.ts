/** build-config.json: the options of a build. They are checked and completed here, and applied by the engine. */

import { LEAST_MULTIPLIER, MOST_MULTIPLIER } from '../native/number-limits.js';
import type { ConfigWarning } from './diagnostic.js';
import { memberOf, parseDocument } from './document.js';
import { FARE_SERVICE_NAMES, type FareServiceConfig, parseFareServices } from './fares.js';
import { AMOUNT, BOOLEAN, COUNT, type ConfigValue, type Field, type Fields, read, TEXT, unused } from './fields.js';

interface BuildKey {
  readonly field: Field;
  readonly summary: string;
  /** Absent: none. */
  readonly byDefault?: ConfigValue;
}

type Limits = { readonly minimum?: number; readonly maximum?: number };

const flag = (byDefault: boolean, summary: string): BuildKey => ({ field: BOOLEAN, byDefault, summary });
const amount = (byDefault: number, summary: string, limits: Limits = {}): BuildKey => ({
  field: { ...AMOUNT, ...limits },
  byDefault,
  summary,
});
const count = (byDefault: number, summary: string, limits: Limits = {}): BuildKey => ({
  field: { ...COUNT, ...limits },
  byDefault,
  summary,
});
const choice = (oneOf: readonly string[], summary: string): BuildKey => ({ field: { kind: 'string', oneOf }, summary });
const BUCKET: Fields = { accessKey: TEXT, secretKey: TEXT, bucketName: TEXT };
const FARES: Field = {
  kind: 'either',
  choices: [TEXT, { kind: 'map', values: { kind: 'any' } }],
  expected: 'the name of a fare service, or an object with a type or a combinationStrategy',
};

/** Keys that other servers of the interface use. */
const WITHOUT_EFFECT: Readonly<Record<string, BuildKey>> = {
  maxHtmlAnnotationsPerFile: count(1000, 'issues per page'),
  matchBusRoutesToStreets: flag(false, 'lay bus routes over streets'),
  fetchElevationUS: flag(false, 'fetch the elevation of the United States'),
  elevationBucket: { field: { kind: 'object', fields: BUCKET }, summary: 'where elevation tiles are stored' },
  osmNaming: choice(['portland'], 'how unnamed ways are named'),
  platformEntriesLinking: flag(false, 'link platforms to their entrances'),
  islandWithStopsMaxSize: count(5, 'street islands with stops up to this many vertices are removed'),
  maxTransferDistance: amount(2000, 'metres walked in a transfer at most'),
  extraEdgesStopPlatformLink: flag(false, 'more links between stops and platforms'),
  readCachedElevations: flag(true, 'use elevations computed by an earlier build'),
  writeCachedElevations: flag(false, 'keep computed elevations for later builds'),
  includeEllipsoidToGeoidDifference: flag(false, 'elevations above the geoid'),
  multiThreadElevationCalculations: flag(false, 'compute elevations on all processors'),
};

/** Every key with its type, default and meaning. */
export const BUILD_KEYS: Readonly<Record<string, BuildKey>> = {
  htmlAnnotations: flag(false, 'write a page with the issues of the inputs next to the graph'),
  transit: flag(true, 'include GTFS feeds'),
  streets: flag(true, 'include OpenStreetMap files'),
  useTransfersTxt: flag(
    false,
    'transfers from transfers.txt only: straight lines, timed ones take no time, those with a minimum time take that, others a second for each metre',
  ),
  parentStopLinking: flag(false, 'link stops to their stations'),
  stationTransfers: flag(false, 'transfers between all stops of a station'),
  subwayAccessTime: amount(2, 'minutes from the street to a subway platform', { maximum: 24 * 60 }),
  embedRouterConfig: flag(true, 'store router-config.json in the graph'),
  areaVisibility: flag(false, 'walk straight across areas along lines of sight'),
  fares: {
    field: FARES,
    summary: `how fares are computed: ${FARE_SERVICE_NAMES.join(', ')}, or a combination; see below`,
  },
  staticBikeRental: flag(false, 'rental stations from OpenStreetMap'),
  staticParkAndRide: flag(true, 'park and ride from OpenStreetMap'),
  staticBikeParkAndRide: flag(false, 'bike parks from OpenStreetMap'),
  maxInterlineDistance: amount(
    200,
    'longest distance in metres between two trips of a block for riders to stay seated',
  ),
  stopClusterMode: { ...choice(['proximity', 'parentStation'], 'how stops are clustered'), byDefault: 'proximity' },
  elevationUnitMultiplier: amount(1, 'factor that converts the values of the raster to metres', {
    minimum: LEAST_MULTIPLIER,
    maximum: MOST_MULTIPLIER,
  }),
  osmWayPropertySet: {
    ...choice(['default', 'norway', 'uk'], 'rules for the permissions and speeds of ways'),
    byDefault: 'default',
  },
  islandWithoutStopsMaxSize: count(40, 'street islands with fewer vertices than this lose walking and cycling', {
    maximum: 2 ** 32 - 1,
  }),
  banDiscouragedWalking: flag(false, 'foot=discouraged forbids walking'),
  banDiscouragedBiking: flag(false, 'bicycle=discouraged forbids cycling'),
  baseMap: flag(true, 'keep what a base map shows: streets with names, railways, water, land use, places'),
  ...Object.fromEntries(
    Object.entries(WITHOUT_EFFECT).map(([name, key]) => [name, { ...key, field: unused(key.field) }]),
  ),
};

/** Checked build configuration, defaults filled in. */
export type BuildConfig = Readonly<Record<string, ConfigValue>>;

/** The content of a build configuration. */
interface ParsedBuildConfig {
  config: BuildConfig;
  /** Fare services, whose prices add up; undefined: those of the feeds. */
  fares: FareServiceConfig[] | undefined;
  warnings: ConfigWarning[];
}

/** Reads the text of `file`. Throws `ConfigError`; unknown keys and those without effect come back as warnings. */
export function parseBuildConfig(text: string, file: string): ParsedBuildConfig {
  const warnings: ConfigWarning[] = [];
  const document = parseDocument(text, file);
  const fields: Fields = Object.fromEntries(Object.entries(BUILD_KEYS).map(([name, key]) => [name, key.field]));
  const found = read(document, { kind: 'object', fields }, warnings) as BuildConfig;
  const defaults = Object.entries(BUILD_KEYS).flatMap(([name, { byDefault }]) =>
    byDefault === undefined ? [] : [[name, byDefault] as const],
  );
  const fares = memberOf(document, 'fares');
  return {
    config: { ...Object.fromEntries(defaults), ...found },
    fares: fares && parseFareServices(fares.value, warnings),
    warnings,
  };
}
