/** Everything a request handler may use. The server makes it once, at startup. */

import type { Logger } from 'pino';
import type { AlertStore } from '../alerts/alert-store.js';
import type { PointLinks } from '../analysis/point-links.js';
import type { PointSetDirectory } from '../analysis/point-set-directory.js';
import type { SurfaceStore } from '../analysis/surface-store.js';
import type { ServerConfig } from '../config/server-settings.js';
import type { MunicipalityLookup } from '../geocoding/municipality-lookup.js';
import type { Jobs } from '../jobs/jobs.js';
import type { RouterControl } from '../registry/control.js';
import type { HostControl } from '../registry/host-control.js';
import type { RouterRegistry } from '../registry/registry.js';
import type { Uploads } from '../registry/uploads.js';
import type { ScenarioRouters } from '../scenarios/scenario-routers.js';
import type { LiveRouters } from '../updaters/live-routers.js';

/** Lets a bounded number of searches run at once. */
interface Turns {
  /** Runs a search when its turn comes; throws `BusyError` when it would wait too long. */
  run<T>(search: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface ServerJobs {
  readonly queue: Jobs;
  /** SHA-256 of the graph file that a router serves; undefined when the file has been replaced since. */
  graphHash(routerId: string): Promise<string | undefined>;
}

/** Dependencies of the handlers. */
export interface HandlerDeps {
  readonly config: ServerConfig;
  /** Looks routers up. */
  readonly registry: RouterRegistry;
  /** Changes the set of routers, in all serving processes of this host. */
  readonly control: RouterControl;
  /** The same on all hosts that share their state; undefined when there are no others. */
  readonly hostControl: HostControl | undefined;
  readonly uploads: Uploads;
  /** Live data of the routers. */
  readonly live: LiveRouters;
  readonly scenarios: ScenarioRouters;
  /** Alerts that were sent to the server. */
  readonly alerts: AlertStore;
  /** Boundaries of municipalities. */
  readonly municipalities: MunicipalityLookup;
  /** Surfaces that clients made. */
  readonly surfaces: SurfaceStore;
  readonly pointSets: PointSetDirectory;
  readonly pointLinks: PointLinks;
  /** Undefined when the server takes no jobs. */
  readonly jobs: ServerJobs | undefined;
  readonly logger: Logger;
  /** Admission of short searches, such as plans. */
  readonly admission: Turns;
  /** GraphQL queries that need much memory. */
  readonly largeQueries: Turns;
  /** Admission of searches that may take long. */
  readonly longAdmission: Turns;
}
