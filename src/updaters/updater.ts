/** Types that all updaters share. */

import type { Logger } from 'pino';
import type { LiveGraph, StreetAlertInput } from '../native/types.js';
import type { FeedVehicle } from './feed-vehicle.js';
import type { FeedAccess } from './remote-file.js';
import type { RentalStation } from './rental-station.js';

export interface UpdaterStatus {
  /** Epoch milliseconds of the last run that received data, or found it unchanged. */
  lastSuccess?: number;
  /** What was missing in the last run that succeeded. */
  warning?: string;
  /** The last failure since then. */
  lastError?: { at: number; message: string };
  runs: number;
  failures: number;
  /** The last data was too old to be used and has been dropped. */
  stale: boolean;
  /** When the source made the last data, epoch milliseconds. */
  dataTimestamp?: number;
  /** Counts of the last data, by name. */
  counts: Readonly<Record<string, number>>;
}

/** One configured updater of a running router. */
export interface Updater {
  /** Key of its configuration. */
  readonly type: string;
  /** Its description in the interface. */
  readonly description: string;
  /** Class name that clients of the interface know. */
  readonly className: string;
  readonly status: UpdaterStatus;
  start(): void;
  stop(): void;
}

/** Where updaters put their data. Promises resolve when searches see it. */
export interface LiveSink {
  /** For messages that the addon reads itself. */
  readonly graph: LiveGraph;
  /** Replaces the rental stations of one updater. */
  putStations(updater: number, stations: readonly RentalStation[]): Promise<void>;
  /** Replaces the bike parks of one updater. */
  putParks(updater: number, parks: readonly RentalStation[]): Promise<void>;
  /** Replaces the street alerts of one updater. */
  putStreetAlerts(updater: number, alerts: readonly StreetAlertInput[]): Promise<void>;
  /** Replaces the vehicles of one updater. */
  putVehicles(updater: number, vehicles: readonly FeedVehicle[]): void;
}

/** What is needed to create an updater. */
export interface UpdaterContext {
  /** Position among the router's updaters. */
  readonly number: number;
  readonly sink: LiveSink;
  /** The sources that the configuration may read. */
  readonly access: FeedAccess;
  readonly logger: Logger;
}

/** A status before the first run. */
export function freshStatus(): UpdaterStatus {
  return { runs: 0, failures: 0, stale: false, counts: {} };
}
