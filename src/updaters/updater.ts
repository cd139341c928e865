/** What all updaters have in common. */

import type { Logger } from 'pino';
import type { LiveGraph, StreetAlertInput, Vehicle } from '../native/types.js';
import type { FeedAccess } from './remote-file.js';
import type { RentalStation } from './rental-station.js';

/** What an updater has done so far. */
export interface UpdaterStatus {
  /** Epoch milliseconds of the last run that brought data, or found it unchanged. */
  lastSuccess?: number;
  /** The last failure since then. */
  lastError?: { at: number; message: string };
  runs: number;
  failures: number;
  /** The last data is too old to be used: it has been dropped. */
  stale: boolean;
  /** When the source says that the last data was made, epoch milliseconds. */
  dataTimestamp?: number;
  /** What the last data held, by name. */
  counts: Readonly<Record<string, number>>;
}

/** One configured updater of a running router. */
export interface Updater {
  /** Key of its configuration. */
  readonly type: string;
  /** What the interface says about it. */
  readonly description: string;
  /** Name of the class that clients of the interface know. */
  readonly className: string;
  readonly status: UpdaterStatus;
  start(): void;
  stop(): void;
}

/** Where updaters put what they fetched. Promises resolve when searches see it. */
export interface LiveSink {
  /** For messages that the addon reads itself. */
  readonly graph: LiveGraph;
  /** Replaces the rental stations that one updater has brought. */
  putStations(updater: number, stations: readonly RentalStation[]): Promise<void>;
  /** Replaces the bike parks that one updater has brought. */
  putParks(updater: number, parks: readonly RentalStation[]): Promise<void>;
  /** Replaces the alerts about streets that one updater has brought. */
  putStreetAlerts(updater: number, alerts: readonly StreetAlertInput[]): Promise<void>;
  /** Replaces the vehicles that one updater has brought. */
  putVehicles(updater: number, vehicles: readonly Vehicle[]): void;
}

/** What an updater is made with. */
export interface UpdaterContext {
  /** Position among the router's updaters. */
  readonly number: number;
  readonly sink: LiveSink;
  /** What the configuration may read. */
  readonly access: FeedAccess;
  readonly logger: Logger;
}

/** A status before the first run. */
export function freshStatus(): UpdaterStatus {
  return { runs: 0, failures: 0, stale: false, counts: {} };
}
