/** Everything a request handler may use, put together once at start-up. */

import type { Logger } from 'pino';
import type { AlertStore } from '../alerts/alert-store.js';
import type { ServerConfig } from '../config/server-config.js';
import type { MunicipalityLookup } from '../geocoding/municipality-lookup.js';
import type { Graph } from '../native/types.js';
import type { RouterControl } from '../registry/control.js';
import type { RouterRegistry } from '../registry/registry.js';
import type { Uploads } from '../registry/uploads.js';
import type { ScenarioRouters } from '../scenarios/scenario-routers.js';
import type { LiveRouters } from '../updaters/live-routers.js';
import type { Admission } from './admission.js';
import type { Authenticator } from './authenticator.js';
import type { OriginReader } from './client-address.js';
import type { Metrics } from './metrics.js';
import type { Draining } from './shutdown.js';

/** Dependencies of the application. */
export interface AppDeps {
  readonly config: ServerConfig;
  /** Looks routers up. */
  readonly registry: RouterRegistry<Graph>;
  /** Changes which routers there are, in all serving processes. */
  readonly control: RouterControl;
  readonly uploads: Uploads<Graph>;
  /** Live data of the routers. */
  readonly live: LiveRouters;
  /** Scenarios of the routers. */
  readonly scenarios: ScenarioRouters;
  /** Alerts that were sent to the server. */
  readonly alerts: AlertStore;
  /** Boundaries of municipalities. */
  readonly municipalities: MunicipalityLookup;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The figures to show, of all serving processes, in Prometheus' text form. */
  readonly figures: () => Promise<string>;
  readonly authenticator: Authenticator;
  readonly origins: OriginReader;
  /** Turns of short searches, such as plans. */
  readonly admission: Admission;
  /** GraphQL queries that need much memory. */
  readonly largeQueries: Admission;
  /** Turns of searches that may take long. */
  readonly longAdmission: Admission;
  readonly draining: Draining;
  /** Whether the routers of the start are loaded. */
  readonly startup: { done: boolean };
}
