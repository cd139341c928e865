/** Vehicles of live data. */

import type { Vehicle } from '../native/types.js';

/** A vehicle with the feed that has the trip and the route that it names. */
export interface FeedVehicle extends Vehicle {
  /** Absent when the updater belongs to no feed. */
  readonly feedId?: string;
}
