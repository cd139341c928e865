/** Vehicles of live data. */

import type { Vehicle } from '../native/types.js';

/** A vehicle with the feed that has the trip and the route that it names. */
export interface FeedVehicle extends Vehicle {
  /** Absent where the updater is about no feed. */
  readonly feedId?: string;
}
