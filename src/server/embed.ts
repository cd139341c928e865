/** `trestle/server`: the interface as an application inside of another program, which listens itself. */

import type Koa from 'koa';
import { type Logger, pino } from 'pino';
import { ConfigError, refuseWarnings } from '../config/diagnostic.js';
import { resolveServerConfig } from '../config/server-config.js';
import type {
  GeocoderConfig,
  MunicipalitiesConfig,
  ServerConfig,
  ServerSettings,
  TokenConfig,
  UserConfig,
} from '../config/server-settings.js';
import { addonMaker } from '../registry/addon-maker.js';
import { removeLeftovers } from '../registry/leftovers.js';
import { startRouters } from '../registry/start.js';
import { koaApp } from './app.js';
import { createDeps, prepareSearches } from './create-deps.js';

export type { GeocoderConfig, MunicipalitiesConfig, TokenConfig, UserConfig };

/**
 * Settings of `trestle serve` that are about ports, processes and its log: the program around the application has them.
 */
const OF_THE_SERVER = [
  'bindAddress',
  'port',
  'securePort',
  'tlsCertificate',
  'tlsKey',
  'requestTimeoutMs',
  'drainMs',
  'workers',
  'logLevel',
] as const satisfies readonly (keyof ServerSettings)[];

/** What the application does differently from the defaults of `trestle serve`. */
export interface AppOptions extends Partial<Omit<ServerSettings, (typeof OF_THE_SERVER)[number]>> {
  /** Directory that relative paths among the settings start from; the working directory by default. */
  readonly basePath?: string;
  /** Gets a line for each request and for what happens to routers; without one nothing is logged. */
  readonly logger?: Logger;
}

/** The application, with the graphs that it serves. */
export interface EmbeddedApp {
  /** Answers requests: `http.createServer(app.callback())`, or a part of another Koa application. */
  readonly app: Koa;
  /** Releases the graphs and stops fetching live data. Call it when no request is being answered any more. */
  close(): Promise<void>;
}

/**
 * An application that serves the routers of `options.graphs`. Resolves when those that are there at startup have been
 * loaded or, where there are only inputs, built; one that cannot be loaded is logged and left out. Neither environment
 * variables nor `server-config.json` are read.
 *
 * The search threads belong to the process, and there are as many as the settings said before the first search.
 *
 * Rejects with an error whose `code` is `CONFIG_INVALID` when an option is unknown or has the wrong form.
 *
 * @example
 * const { app, close } = await createApp({ graphs: 'graphs', routers: ['default'] });
 * const server = app.listen(0);
 * // later
 * server.close(() => close());
 */
export async function createApp({
  basePath = '.',
  logger = SILENT,
  ...settings
}: AppOptions = {}): Promise<EmbeddedApp> {
  const config = configOf(settings, basePath);
  await prepareSearches(config);
  const deps = createDeps(config, logger, await addonMaker());
  await deps.spool.open();
  await removeLeftovers(config);
  await deps.shared.values.open();
  const { registry, control, published } = deps;
  const stopWatching = await startRouters({ config, registry, control, published, logger });
  await deps.jobs?.queue.open(true);
  await deps.hostControl?.begin();
  const close = async () => {
    stopWatching();
    deps.draining.begin();
    await deps.jobs?.queue.close();
    registry.evictAll();
    deps.shared.close();
    // Other applications of this process have their files in the same folder.
    await deps.spool.close([]);
  };
  return { app: koaApp(deps), close };
}

/** The settings, read like a configuration file: the same types, the same messages. */
function configOf(settings: object, basePath: string): ServerConfig {
  const name = 'options of createApp';
  const text = JSON.stringify(settings, inJson);
  const { config, warnings } = resolveServerConfig({ flags: {}, environment: {}, file: { text, name }, basePath });
  // A mistake that only causes a warning in a file is an error in a program.
  refuseWarnings(warnings);
  const given = new Map(Object.entries(settings));
  const key = OF_THE_SERVER.find((setting) => given.get(setting) !== undefined);
  if (key === undefined) return config;
  throw new ConfigError({ file: name, key }, 'is set by the program that runs the application');
}

/**
 * `null` counts as absent. JSON would turn NaN and infinity into `null`, so they become texts, which are then refused.
 */
function inJson(_key: string, value: unknown): unknown {
  if (value === null) return undefined;
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

const SILENT: Logger = pino({ level: 'silent' });
