/** The server's own settings, as types. `server-config.ts` has their defaults and reads them. */

import type { ObjectAddress } from './object-address.js';

/** A user who may send a password. */
export interface UserConfig {
  readonly name: string;
  /** `scrypt$N$r$p$salt$hash` as printed by `trestle hash-password`. */
  readonly password: string;
  readonly roles: readonly string[];
}

/** A bearer token, kept only as its SHA-256. */
export interface TokenConfig {
  readonly name: string;
  /** Hexadecimal SHA-256 of the token. */
  readonly sha256: string;
  readonly roles: readonly string[];
}

/** A server that looks up addresses. */
export interface GeocoderConfig {
  readonly type: 'nominatim' | 'photon' | 'pelias';
  /** Address of its search, for example `https://nominatim.example/search`. */
  readonly url: string;
  /** Sent with each request if the server requires a key. */
  readonly apiKey?: string;
  /** Sent as the `User-Agent`, by which public servers identify the sender of requests. */
  readonly userAgent?: string;
}

/** Boundaries of municipalities. */
export interface MunicipalitiesConfig {
  /** GeoJSON (`.json`, `.geojson`) or a shapefile (`.shp`, with its `.dbf`). */
  readonly file?: string;
  /** Property that holds the name; `name` by default. */
  readonly nameField?: string;
  /** Without a file: `admin_level` of municipalities on the map; 8 by default. */
  readonly adminLevel?: number;
}

/** The map below the routes and stops in the web client, from other servers. */
export interface BaseMapConfig {
  /** Address of a style for MapLibre. */
  readonly style?: string;
  /** The same for dark colours; `style` without it. */
  readonly darkStyle?: string;
  /** Address of raster tiles with `{z}`, `{x}` and `{y}`, instead of a style. */
  readonly tiles?: string;
  /** Where the tiles come from, as text. */
  readonly attribution?: string;
  /** Hosts, besides those of the addresses, that the style loads from. */
  readonly hosts?: readonly string[];
}

/** All settings, complete. */
export interface ServerSettings {
  readonly bindAddress: string;
  readonly port: number;
  /** HTTPS port; used when a certificate is configured. */
  readonly securePort: number;
  /** PEM files. */
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
  /** Path segment before every path of the interface; empty for none. */
  readonly mount: string;
  /** Directory with a sub-directory for each router, or `s3://bucket/prefix` where graphs are published. */
  readonly graphs: string;
  /** Directory that keeps published graphs. */
  readonly cache: string;
  /** Largest sum of the graphs in the cache, bytes. */
  readonly maxCacheBytes: number;
  /** Address of the object store; Amazon's when absent. */
  readonly s3Endpoint?: string;
  /** Pause between two checks for newly published graphs, seconds; 0: only a PUT of the router takes them. */
  readonly followSeconds: number;
  /** `redis://` address of Redis or Valkey, where several hosts share their state. */
  readonly redis?: string;
  /** First part of all names there. */
  readonly redisPrefix: string;
  /** Name of this host in answers; by default the machine's name and the port. */
  readonly hostName?: string;
  readonly pointSets: string;
  /** Directory, or `s3://bucket/prefix`, of jobs and their results; without it the server takes no jobs. */
  readonly jobs?: string;
  /** Days after which jobs that have ended are removed with their results; 0: never. */
  readonly keepJobsDays: number;
  /** Router ids to load; the first is the default. */
  readonly routers: readonly string[];
  readonly autoScan: boolean;
  readonly autoReload: boolean;
  readonly analyst: boolean;
  /** Keeps the alerts that were sent to the server over restarts. */
  readonly alertFile?: string;
  /** Servers that look up addresses. */
  readonly geocoders: readonly GeocoderConfig[];
  /** Boundaries of municipalities. */
  readonly municipalities?: MunicipalitiesConfig;
  /** Hosts, besides public addresses, that redirects of feeds and addresses in their documents may lead to. */
  readonly feedHosts: readonly string[];
  /** Start the updaters of configurations that came with an upload. */
  readonly uploadedUpdaters: boolean;
  /** Directory served under `/local`. */
  readonly clientFiles?: string;
  /** `Content-Security-Policy` of the files in `clientFiles`; none is sent without it. */
  readonly clientFilesPolicy?: string;
  /** The map in the web client; without it the server's own. */
  readonly baseMap?: BaseMapConfig;
  /** Build a router whose directory has inputs but no graph. */
  readonly buildOnDemand: boolean;
  readonly enableScriptingWebService: boolean;
  /** Longest run of a script, milliseconds. */
  readonly maxScriptMs: number;
  /** Largest heap of a script, bytes. */
  readonly maxScriptBytes: number;
  /** No authentication: anyone who can reach the port may replace and remove routers. */
  readonly insecure: boolean;
  readonly users: readonly UserConfig[];
  readonly tokens: readonly TokenConfig[];
  /** Addresses or networks of reverse proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may read answers in a browser; `*` allows any origin. */
  readonly corsOrigins: readonly string[];
  /** Longest accepted query, characters. */
  readonly maxQueryLength: number;
  /** Largest body of ordinary requests, bytes. */
  readonly maxBodyBytes: number;
  /** Largest sum of the memory of surfaces in a process, bytes. */
  readonly maxSurfaceBytes: number;
  /** Largest uploaded graph or zip, bytes. */
  readonly maxUploadBytes: number;
  /** Largest sum of a zip's uncompressed files, bytes. */
  readonly maxUnpackedBytes: number;
  /** Searches that run at once; 0: the number of processors. */
  readonly maxThreads: number;
  /** Searches that may wait for their turn. */
  readonly maxQueuedSearches: number;
  /** Longest wait for a turn, milliseconds. */
  readonly maxQueueWaitMs: number;
  /** Longest time of the searches of a request, milliseconds. */
  readonly maxSearchMs: number;
  /** The same of requests that may take long. */
  readonly maxLongSearchMs: number;
  /** Requests per minute and client address; 0: no limit. */
  readonly maxRequestsPerMinute: number;
  /** A request whose headers or body take longer is ended, milliseconds. */
  readonly requestTimeoutMs: number;
  /** How long a request waits for a router that is being loaded, milliseconds. */
  readonly loadWaitMs: number;
  /** How long running requests may take after the signal to stop, milliseconds. */
  readonly drainMs: number;
  /** Number of serving processes; 1: everything in one. */
  readonly workers: number;
  readonly logLevel: string;
}

/** The settings as the parts of a server see them. */
export interface ServerConfig extends ServerSettings {
  /** Where the graphs are published; `graphs` is then the cache, a directory like any other. */
  readonly publishedGraphs?: ObjectAddress;
}
