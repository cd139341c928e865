/**
 * The server's own settings. Flags override environment variables (`TRESTLE_…`), which override `server-config.json`,
 * which overrides defaults. One table defines them; the reader, the environment and the documentation follow it.
 */

import path from 'node:path';
import { elementsOf } from '../comma-list.js';
import { suggest } from '../suggestion.js';
import { ConfigError, type ConfigPlace, type ConfigWarning } from './diagnostic.js';
import { type ConfigNode, parseDocument, placeIn } from './document.js';
import {
  AMOUNT,
  BOOLEAN,
  COUNT,
  type ConfigValue,
  type Field,
  type Fields,
  PLACE,
  POSITIVE,
  read,
  TEXT,
  WAIT,
  WAIT_MS,
} from './fields.js';
import { isObjectAddress, parseObjectAddress } from './object-address.js';
import type { GeocoderConfig, ServerConfig, ServerSettings } from './server-settings.js';
import {
  HEADER_FORM,
  HOST_FORM,
  LISTEN_FORM,
  MOUNT_FORM,
  NETWORK_FORM,
  ORIGIN_FORM,
  PAGE_HOST_FORM,
  PASSWORD_HASH_FORM,
  REDIS_FORM,
  ROUTER_FORM,
  SENT_HEADER_FORM,
  SHA256_FORM,
  STYLE_FORM,
  type TextForm,
  TILES_FORM,
  WEB_FORM,
} from './text-forms.js';

/** Kinds of geocoders that are supported. */
const GEOCODER_TYPES = ['nominatim', 'photon', 'pelias'] as const satisfies ReadonlyArray<GeocoderConfig['type']>;

interface Setting {
  readonly field: Field;
  readonly byDefault?: ConfigValue;
  readonly summary: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const formed = (form: TextForm): Field => ({ kind: 'string', form });
const texts = (form: TextForm): Field => ({ kind: 'list', items: formed(form) });
const objects = (fields: Fields, required: readonly string[] = Object.keys(fields)): Field => ({
  kind: 'list',
  items: { kind: 'object', fields, required },
});
/** Of the roles in settings of other servers of the interface, only one means something here. */
const ROLES: Field = { kind: 'list', items: { kind: 'string', useful: ['ROLE_ROUTERS', 'ROUTERS'] } };
/** As many as the addon has numbers for; those of OpenStreetMap end at 12. */
const ADMIN_LEVEL: Field = { kind: 'number', integer: true, minimum: 0, maximum: 255 };
/** Plans need about 150 characters. */
const QUERY_LENGTH: Field = { kind: 'number', integer: true, minimum: 256 };
const PORT: Field = { kind: 'number', integer: true, minimum: 0, maximum: 65_535 };
const flag = (summary: string): Setting => ({ field: BOOLEAN, byDefault: false, summary });
const GIB = 1024 ** 3;

const BASE_MAP: Fields = {
  style: formed(STYLE_FORM),
  darkStyle: formed(STYLE_FORM),
  tiles: formed(TILES_FORM),
  attribution: TEXT,
  hosts: texts(PAGE_HOST_FORM),
};

/** Every setting with its type, default and meaning. */
export const SERVER_SETTINGS: Readonly<Record<keyof ServerSettings, Setting>> = {
  bindAddress: { field: formed(LISTEN_FORM), byDefault: '0.0.0.0', summary: 'address to listen on' },
  port: { field: PORT, byDefault: 8080, summary: 'HTTP port' },
  securePort: { field: PORT, byDefault: 8081, summary: 'HTTPS port, used when a certificate is configured' },
  tlsCertificate: { field: TEXT, summary: 'PEM file with the certificate chain' },
  tlsKey: { field: TEXT, summary: 'PEM file with the private key' },
  mount: {
    field: formed(MOUNT_FORM),
    byDefault: '/otp',
    summary: 'path before every path of the interface; may be empty, which leaves the web client at `/index.html`',
  },
  graphs: {
    field: PLACE,
    byDefault: 'graphs',
    summary: 'directory with one sub-directory per router, or `s3://bucket/prefix` with published graphs',
  },
  cache: { field: TEXT, byDefault: 'cache', summary: 'directory that keeps published graphs' },
  maxCacheBytes: { field: AMOUNT, byDefault: 64 * GIB, summary: 'largest sum of published graphs in the cache, bytes' },
  s3Endpoint: { field: formed(WEB_FORM), summary: "address of the object store, if it is not Amazon's" },
  followSeconds: {
    field: WAIT,
    byDefault: 10,
    summary: 'seconds between checks for newly published graphs; 0: only on a PUT of the router',
  },
  redis: {
    field: formed(REDIS_FORM),
    summary:
      'address of Redis or Valkey (`redis://…`, `rediss://…`), where hosts share routers, surfaces, point sets, scenarios, alerts, live data and limits',
  },
  redisPrefix: { field: TEXT, byDefault: 'trestle', summary: 'prefix of all keys in Redis' },
  hostName: {
    field: TEXT,
    summary:
      "name of this host in answers that list the outcome of a change by host; by default the machine's name and the port",
  },
  pointSets: { field: TEXT, byDefault: 'pointsets', summary: 'directory of point sets' },
  jobs: {
    field: PLACE,
    summary: 'directory, or `s3://bucket/prefix`, of jobs and their results; without it the server takes no jobs',
  },
  keepJobsDays: {
    field: COUNT,
    byDefault: 30,
    summary: 'days after which jobs that have ended are removed with their results, 0 for never',
  },
  routers: { field: texts(ROUTER_FORM), byDefault: [], summary: 'routers to load, the first is the default' },
  autoScan: flag('register new sub-directories with a graph, every 10 s'),
  autoReload: flag('reload graphs whose file changed, every 10 s'),
  analyst: flag('offer surfaces, point sets and the analyses that need them'),
  alertFile: { field: TEXT, summary: 'JSON file that preserves alerts sent to the server across restarts' },
  geocoders: {
    field: objects(
      {
        type: { kind: 'string', oneOf: GEOCODER_TYPES },
        url: formed(WEB_FORM),
        apiKey: TEXT,
        userAgent: formed(SENT_HEADER_FORM),
      },
      ['type', 'url'],
    ),
    byDefault: [],
    summary:
      'servers that look up addresses: `type` (`nominatim`, `photon`, `pelias`), `url` of their search, `apiKey`, `userAgent`',
  },
  municipalities: {
    field: { kind: 'object', fields: { file: TEXT, nameField: TEXT, adminLevel: ADMIN_LEVEL } },
    summary:
      'boundaries of municipalities: `file` (GeoJSON or shapefile), `nameField` (`name`); without a file those of the map with `adminLevel` (8)',
  },
  clientFiles: { field: TEXT, summary: 'directory served under /local, for example an existing client' },
  clientFilesPolicy: {
    field: formed(HEADER_FORM),
    summary: '`Content-Security-Policy` that browsers get with the files of `clientFiles`; none unless given',
  },
  baseMap: {
    field: { kind: 'object', fields: BASE_MAP },
    summary:
      'map in the web client from other servers: `style` and `darkStyle` for MapLibre, or raster `tiles` with `attribution`; `hosts` that these load from too',
  },
  feedHosts: {
    field: texts(HOST_FORM),
    byDefault: [],
    summary: 'hosts, addresses or networks, besides public addresses, that feeds may lead to (`*.name` for all below)',
  },
  uploadedUpdaters: flag('start the updaters of configurations that came with an upload'),
  buildOnDemand: { field: BOOLEAN, byDefault: true, summary: 'build routers that have inputs but no graph' },
  enableScriptingWebService: flag('allow uploaded scripts'),
  maxScriptMs: { field: WAIT_MS, byDefault: 60_000, summary: 'longest run of a script, milliseconds' },
  maxScriptBytes: { field: COUNT, byDefault: 64 * 1024 ** 2, summary: 'largest heap of a script, bytes' },
  insecure: flag('no authentication: anyone may replace and remove routers'),
  users: {
    field: objects({ name: TEXT, password: formed(PASSWORD_HASH_FORM), roles: ROLES }),
    byDefault: [],
    summary: 'users with scrypt password hashes and roles',
  },
  tokens: {
    field: objects({ name: TEXT, sha256: formed(SHA256_FORM), roles: ROLES }),
    byDefault: [],
    summary: 'bearer tokens as SHA-256, with roles',
  },
  trustedProxies: { field: texts(NETWORK_FORM), byDefault: [], summary: 'addresses or networks of reverse proxies' },
  corsOrigins: {
    field: texts(ORIGIN_FORM),
    byDefault: ['*'],
    summary: 'origins whose pages may read answers, as browsers send them: `https://maps.example`; `*` for any',
  },
  maxQueryLength: { field: QUERY_LENGTH, byDefault: 8192, summary: 'longest query, characters' },
  maxBodyBytes: { field: COUNT, byDefault: 1024 ** 2, summary: 'largest body of ordinary requests, bytes' },
  maxSurfaceBytes: {
    field: AMOUNT,
    byDefault: 64 * 1024 ** 2,
    summary: 'memory limit for kept surfaces in a process, bytes; the least recently used are dropped first',
  },
  maxUploadBytes: { field: AMOUNT, byDefault: 4 * GIB, summary: 'largest uploaded graph or zip, bytes' },
  maxUnpackedBytes: { field: AMOUNT, byDefault: 8 * GIB, summary: 'largest sum of unpacked files, bytes' },
  maxThreads: { field: COUNT, byDefault: 0, summary: 'searches at once, 0 for the number of processors' },
  maxQueuedSearches: { field: COUNT, byDefault: 32, summary: 'searches that may wait for their turn' },
  maxQueueWaitMs: { field: WAIT_MS, byDefault: 5000, summary: 'longest wait for a turn, milliseconds' },
  maxSearchMs: { field: POSITIVE, byDefault: 20_000, summary: 'longest time of ordinary searches, milliseconds' },
  maxLongSearchMs: {
    field: POSITIVE,
    byDefault: 60_000,
    summary: 'longest time of matrices and other long searches, milliseconds',
  },
  maxRequestsPerMinute: { field: COUNT, byDefault: 0, summary: 'requests per minute and client, 0 for no limit' },
  requestTimeoutMs: { field: WAIT_MS, byDefault: 30_000, summary: 'longest time to send a request, milliseconds' },
  loadWaitMs: { field: WAIT_MS, byDefault: 30_000, summary: 'longest wait for a router being loaded, milliseconds' },
  drainMs: {
    field: WAIT_MS,
    byDefault: 15_000,
    summary: 'longest time that running requests may take after the signal to stop, milliseconds',
  },
  workers: { field: POSITIVE, byDefault: 1, summary: 'serving processes over the same mapped graphs' },
  logLevel: { field: { kind: 'string', oneOf: LOG_LEVELS }, byDefault: 'info', summary: 'lowest level that is logged' },
};

/** Settings given on the command line; absent ones come from elsewhere. */
export type ServerFlags = Partial<ServerSettings>;

/** Where settings come from. */
export interface ServerConfigSources {
  readonly flags: ServerFlags;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text and name of `server-config.json`, if there is one. */
  readonly file?: { readonly text: string; readonly name: string };
  /** Directory that `graphs` and `pointSets` are relative to. */
  readonly basePath: string;
}

/** Beginning of the names of environment variables. */
const PREFIX = 'TRESTLE_';

/** Environment variable of a setting: `maxQueryLength` is `TRESTLE_MAX_QUERY_LENGTH`. */
export function environmentName(setting: string): string {
  return `${PREFIX}${setting.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** Flag of a setting: `port` is `--port`. That of `routers` names one of them. */
export function flagName(setting: string): string {
  return setting === 'routers' ? '--router' : `--${setting}`;
}

/** The settings, what to warn about, and where each was given. */
export interface FoundSettings {
  readonly config: ServerConfig;
  readonly warnings: ConfigWarning[];
  readonly placeOf: PlaceOf;
}

/** The place of a setting, or of a member of it, for messages about what it names. */
type PlaceOf = (setting: keyof ServerSettings, member?: string) => ConfigPlace;

/** Combines the settings. Throws `ConfigError`. */
export function resolveServerConfig(sources: ServerConfigSources): FoundSettings {
  const warnings: ConfigWarning[] = [];
  const table = Object.entries(SERVER_SETTINGS);
  const defaults = Object.fromEntries(
    table.flatMap(([name, { byDefault }]) => (byDefault === undefined ? [] : [[name, byDefault]])),
  );
  const fields: Fields = Object.fromEntries(table.map(([name, { field }]) => [name, field]));
  const document = sources.file && parseDocument(sources.file.text, sources.file.name);
  const file = document === undefined ? {} : (read(document, { kind: 'object', fields }, warnings) as object);
  const environment = readEnvironment(sources.environment, warnings);
  const flags = readFlags(sources.flags, warnings);
  const given = { ...defaults, ...file, ...environment, ...flags } as unknown as ServerSettings;
  const settings = { ...given, mount: normalMount(given.mount), ...absolutePaths(given, sources.basePath) };
  return {
    config: { ...settings, ...servedFromCache(settings) },
    warnings,
    placeOf: places(sources, document),
  };
}

function places({ flags, environment }: ServerConfigSources, document: ConfigNode | undefined): PlaceOf {
  return (setting, member) => {
    const variable = environmentName(setting);
    if (flags[setting] !== undefined) return flagPlace(setting);
    if (environment[variable] !== undefined) return variablePlace(variable);
    const key = [setting, ...(member === undefined ? [] : [member])];
    return placeIn(document, key) ?? { file: 'defaults', key: key.join('.') };
  };
}

const flagPlace = (setting: string): ConfigPlace => ({ file: 'command line', key: flagName(setting) });
const variablePlace = (variable: string): ConfigPlace => ({ file: 'environment', key: variable });

/** Settings that are paths. Some of them may be addresses in an object store instead. */
const PATHS = ['graphs', 'cache', 'jobs', 'pointSets', 'alertFile', 'clientFiles', 'tlsCertificate', 'tlsKey'] as const;

function absolutePaths(given: ServerSettings, basePath: string): Partial<ServerSettings> {
  const atBase = (place: string) => (isObjectAddress(place) ? place : path.resolve(basePath, place));
  const paths = PATHS.flatMap((name) => (given[name] === undefined ? [] : [[name, atBase(given[name])]]));
  const { municipalities } = given;
  const file = municipalities?.file;
  return {
    ...Object.fromEntries(paths),
    ...(file !== undefined && { municipalities: { ...municipalities, file: atBase(file) } }),
  };
}

/** Published graphs are served from the cache, where nothing is built. */
function servedFromCache({ graphs, cache }: ServerSettings): Partial<ServerConfig> {
  const publishedGraphs = parseObjectAddress(graphs);
  return publishedGraphs === undefined ? {} : { publishedGraphs, graphs: cache, buildOnDemand: false };
}

/** Flags have their types already, but a text, or one of a list, may not fit its setting. */
function readFlags(given: ServerFlags, warnings: ConfigWarning[]): Record<string, unknown> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    const place = flagPlace(name);
    const { field } = SERVER_SETTINGS[name as keyof ServerSettings];
    const itemField = field.kind === 'list' && field.items.kind === 'string' ? field.items : field;
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text === 'string') read({ kind: 'scalar', value: text, place }, itemField, warnings);
    }
  }
  return Object.fromEntries(entries);
}

function readEnvironment(environment: Readonly<Record<string, string | undefined>>, warnings: ConfigWarning[]) {
  const names = new Map(Object.keys(SERVER_SETTINGS).map((name) => [environmentName(name), name]));
  const found: Record<string, ConfigValue> = {};
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || text === undefined) continue;
    const name = names.get(variable) as keyof ServerSettings | undefined;
    const place = variablePlace(variable);
    if (name === undefined) {
      warnings.push({
        ...place,
        fault: 'unknown variable',
        outcome: 'ignored',
        suggestion: variableMeant(variable, names),
      });
    } else {
      found[name] = read(
        environmentNode(text, SERVER_SETTINGS[name].field, variable),
        SERVER_SETTINGS[name].field,
        warnings,
      );
    }
  }
  return found;
}

/** What all variables begin with is not compared: it would make every short name close to every other one. */
function variableMeant(variable: string, names: ReadonlyMap<string, string>): string {
  const known = [...names.keys()].map((name) => name.slice(PREFIX.length));
  const close = suggest(variable.slice(PREFIX.length), known);
  return close === undefined ? '' : `; did you mean ${PREFIX}${close}?`;
}

/** Lists of names are comma lists or JSON; other lists and objects are JSON; single values are plain texts. */
function environmentNode(text: string, field: Field, variable: string): ConfigNode {
  const place = variablePlace(variable);
  if (field.kind !== 'list' && field.kind !== 'object') return { kind: 'scalar', value: text, place };
  if (field.kind === 'list' && field.items.kind === 'string' && !text.trim().startsWith('[')) {
    const items = elementsOf(text).map((value): ConfigNode => ({ kind: 'scalar', value, place }));
    return { kind: 'list', items, place };
  }
  try {
    return parseDocument(text, `environment ${variable}`);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(place, error.expected, 'CONFIG_SYNTAX') : error;
  }
}

function normalMount(mount: string): string {
  const trimmed = mount.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}
