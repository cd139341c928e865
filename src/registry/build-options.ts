/** The build options in the configuration files of a directory of inputs. */

import path from 'node:path';
import { type BUILD_KEYS, type BuildConfig, parseBuildConfig } from '../config/build-config.js';
import type { ConfigWarning } from '../config/diagnostic.js';
import { parseRouterConfig } from '../config/router-config.js';
import type { BuildOptions } from '../native/types.js';
import { readTextIfPresent } from './regular-file.js';

/** The keys that are passed to the engine under the same name. */
export const UNCHANGED_KEYS = [
  'transit',
  'streets',
  'useTransfersTxt',
  'parentStopLinking',
  'stationTransfers',
  'areaVisibility',
  'staticBikeRental',
  'staticParkAndRide',
  'staticBikeParkAndRide',
  'maxInterlineDistance',
  'elevationUnitMultiplier',
  'osmWayPropertySet',
  'islandWithoutStopsMaxSize',
  'banDiscouragedWalking',
  'banDiscouragedBiking',
  'baseMap',
] as const satisfies ReadonlyArray<keyof BuildOptions & keyof typeof BUILD_KEYS>;

/** A build's options, and what else its configuration has. */
interface ConfiguredBuild {
  options: BuildOptions;
  config: BuildConfig;
  warnings: ConfigWarning[];
}

/** Reads build-config.json and router-config.json of `directory`. Throws `ConfigError` before any work is done. */
export async function configuredBuild(directory: string): Promise<ConfiguredBuild> {
  const [buildText, routerText] = await Promise.all([
    readTextIfPresent(path.join(directory, 'build-config.json')),
    readTextIfPresent(path.join(directory, 'router-config.json')),
  ]);
  const { config, fares, warnings } = parseBuildConfig(buildText ?? '', path.join(directory, 'build-config.json'));
  const options: Record<string, unknown> = Object.fromEntries(UNCHANGED_KEYS.map((key) => [key, config[key]]));
  options.fares = fares;
  options.subwayAccessSeconds = Number(config.subwayAccessTime) * 60;
  // Plain JSON, so that opening the graph needs no parser for comments and unquoted keys.
  if (buildText !== undefined) options.buildConfig = JSON.stringify(config);
  if (routerText !== undefined && config.embedRouterConfig !== false) {
    warnings.push(...parseRouterConfig(routerText, path.join(directory, 'router-config.json')).warnings);
    options.routerConfig = routerText;
  }
  return { options: options as BuildOptions, config, warnings };
}
