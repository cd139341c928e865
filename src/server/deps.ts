/** The parts of a running server. */

import type { HandlerDeps } from '../http/deps.js';
import type { Admission } from './admission.js';
import type { Authenticator } from './authenticator.js';
import type { OriginReader } from './client-address.js';
import type { Metrics } from './metrics.js';
import type { ClientShares } from './middleware/rate.js';
import type { Draining } from './shutdown.js';

/** The dependencies of the handlers, and those that only the middleware needs. */
export interface AppDeps extends HandlerDeps {
  readonly admission: Admission;
  readonly largeQueries: Admission;
  readonly longAdmission: Admission;
  readonly metrics: Metrics;
  /** The metrics of all serving processes, in Prometheus' text form. */
  readonly metricsText: () => Promise<string>;
  readonly authenticator: Authenticator;
  readonly origins: OriginReader;
  /** Requests per minute and client; undefined without a limit. */
  readonly shares: ClientShares | undefined;
  readonly draining: Draining;
  /** Whether the routers of the start are loaded. */
  readonly startup: { done: boolean };
}
