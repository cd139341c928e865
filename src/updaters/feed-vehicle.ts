/** Vehicles of live data. */

import type { Vehicle } from '../native/types.js';

/** A vehicle, and the feed whose trip and route it names. */
export interface FeedVehicle extends Vehicle {
  /** Absent when the updater belongs to no feed. */
  readonly feedId?: string;
}
