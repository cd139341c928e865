/** build-config.json: what a build makes of its inputs. The kernel applies it; here it is checked and completed. */

import type { ConfigWarning } from './diagnostic.js';
import { parseDocument } from './document.js';
import { AMOUNT, BOOLEAN, COUNT, type ConfigValue, type Field, type Fields, read, TEXT } from './fields.js';

interface BuildKey {
  readonly field: Field;
  /** Absent: none. */
  readonly byDefault?: ConfigValue;
}

const flag = (byDefault: boolean): BuildKey => ({ field: BOOLEAN, byDefault });
const amount = (byDefault: number): BuildKey => ({ field: AMOUNT, byDefault });
const count = (byDefault: number): BuildKey => ({ field: COUNT, byDefault });
const choice = (byDefault: string | undefined, ...oneOf: string[]): BuildKey => ({
  field: { kind: 'string', oneOf },
  ...(byDefault === undefined ? {} : { byDefault }),
});

/** Every key with its form and default. Distances in metres, `subwayAccessTime` in minutes. */
export const BUILD_KEYS: Readonly<Record<string, BuildKey>> = {
  htmlAnnotations: flag(false),
  maxHtmlAnnotationsPerFile: count(1000),
  transit: flag(true),
  streets: flag(true),
  useTransfersTxt: flag(false),
  parentStopLinking: flag(false),
  stationTransfers: flag(false),
  subwayAccessTime: amount(2),
  embedRouterConfig: flag(true),
  areaVisibility: flag(false),
  matchBusRoutesToStreets: flag(false),
  fetchElevationUS: flag(false),
  elevationBucket: {
    field: { kind: 'object', fields: { accessKey: TEXT, secretKey: TEXT, bucketName: TEXT } },
  },
  fares: {
    field: { kind: 'either', forms: [TEXT, { kind: 'map', values: { kind: 'any' } }], expected: 'a name or an object' },
  },
  osmNaming: choice(undefined, 'portland'),
  staticBikeRental: flag(false),
  staticParkAndRide: flag(true),
  staticBikeParkAndRide: flag(false),
  maxInterlineDistance: amount(200),
  stopClusterMode: choice('proximity', 'proximity', 'parentStation'),
  platformEntriesLinking: flag(false),
  elevationUnitMultiplier: amount(1),
  osmWayPropertySet: choice('default', 'default', 'norway', 'uk'),
  islandWithoutStopsMaxSize: count(40),
  islandWithStopsMaxSize: count(5),
  banDiscouragedWalking: flag(false),
  banDiscouragedBiking: flag(false),
  maxTransferDistance: amount(2000),
  extraEdgesStopPlatformLink: flag(false),
  readCachedElevations: flag(true),
  writeCachedElevations: flag(false),
  includeEllipsoidToGeoidDifference: flag(false),
  multiThreadElevationCalculations: flag(false),
};

/** Checked build configuration, defaults filled in. */
export type BuildConfig = Readonly<Record<string, ConfigValue>>;

/** Reads the text of `file`. Throws `ConfigError`; unknown keys come back as warnings. */
export function parseBuildConfig(text: string, file: string): { config: BuildConfig; warnings: ConfigWarning[] } {
  const warnings: ConfigWarning[] = [];
  const fields: Fields = Object.fromEntries(Object.entries(BUILD_KEYS).map(([name, key]) => [name, key.field]));
  const found = read(parseDocument(text, file), { kind: 'object', fields }, warnings) as BuildConfig;
  const defaults = Object.entries(BUILD_KEYS).flatMap(([name, { byDefault }]) =>
    byDefault === undefined ? [] : [[name, byDefault] as const],
  );
  return { config: { ...Object.fromEntries(defaults), ...found }, warnings };
}
