/** Updaters that poll GTFS-Realtime messages: trip updates, alerts, vehicle positions. */

import { loadAddon } from '../native/addon.js';
import type { TripUpdateReport } from '../native/types.js';
import { shownLocation } from './feed-address.js';
import { FeedClock } from './feed-clock.js';
import type { Outcome } from './outcomes.js';
import type { PollingTask } from './polling-updater.js';
import { RemoteFile } from './remote-file.js';
import type { UpdaterSettings } from './settings.js';
import type { UpdaterContext } from './updater.js';

const PACKAGE = 'org.opentripplanner.updater';

/** Trip updates by http (`gtfs-http`, `url`) or from a file (`gtfs-file`, `file`). */
export function stopTimeTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const byHttp = settings.required('sourceType') === 'gtfs-http';
  const location = settings.required(byHttp ? 'url' : 'file');
  const feed = new Feed(location, settings, context);
  const name = byHttp ? 'GtfsRealtimeHttpUpdateStreamer' : 'GtfsRealtimeFileTripUpdateSource';
  const options = {
    feedId: settings.text('feedId') ?? '',
    source: tripUpdateSource(context),
    fuzzyTripMatching: settings.flag('fuzzyTripMatching', false),
    purgeExpiredData: settings.flag('purgeExpiredData', true),
  };
  let warning: string | undefined;
  return {
    description: `Streaming stoptime updater with update source = ${name}(${shownLocation(location)})`,
    className: `${PACKAGE}.stoptime.PollingStoptimeUpdater`,
    staleAfterSec: settings.staleAfterSec(),
    run: (signal) =>
      feed.use(signal, async (bytes) => {
        const report = await context.sink.graph.applyTripUpdates(bytes, options);
        warning = unreadEntities(report);
        return logIssues(report, context);
      }),
    warning: () => warning,
    forget: () => feed.forget(),
    drop: () => forgetTripUpdates(context, options.feedId),
  };
}

/** Alerts of a feed; each message replaces the previous alerts. */
export function alertsTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const url = settings.required('url');
  const feed = new Feed(url, settings, context);
  const feedId = settings.text('feedId') ?? '';
  const earlyStart = settings.number('earlyStartSec', 0);
  // Only the addon reads the alerts: a feed may have hundreds of thousands.
  const apply = (bytes: Uint8Array) => context.sink.graph.applyAlerts(context.number, bytes, feedId, earlyStart);
  return {
    description: `GtfsRealtimeUpdater(${shownLocation(url)})`,
    className: `${PACKAGE}.alerts.GtfsRealtimeAlertsUpdater`,
    staleAfterSec: settings.staleAfterSec(),
    run: (signal) =>
      feed.use(signal, async (bytes) => {
        return { alerts: await apply(bytes) };
      }),
    forget: () => feed.forget(),
    drop: async () => void (await apply(EMPTY_DATASET)),
  };
}

export function vehiclesTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const url = settings.required('url');
  const feed = new Feed(url, settings, context);
  const feedId = settings.text('feedId');
  return {
    description: `VehiclePositionsUpdater(${shownLocation(url)})`,
    className: 'VehiclePositionsUpdater',
    staleAfterSec: settings.staleAfterSec(),
    run: (signal) =>
      feed.use(signal, async (bytes) => {
        const { decodeVehicles } = await loadAddon();
        const { vehicles, leftOut } = await decodeVehicles(bytes);
        if (leftOut > 0) context.logger.warn({ updater: url, leftOut }, 'too many vehicles in one message');
        const ofFeed = feedId === undefined ? vehicles : vehicles.map((vehicle) => ({ ...vehicle, feedId }));
        context.sink.putVehicles(context.number, ofFeed);
        return { vehicles: vehicles.length, ...(leftOut > 0 ? { leftOut } : {}) };
      }),
    forget: () => feed.forget(),
    drop: () => context.sink.putVehicles(context.number, []),
  };
}

/** A full dataset without entities: a header with the version and incrementality FULL_DATASET. */
const EMPTY_DATASET = Uint8Array.of(0x0a, 0x07, 0x0a, 0x03, 0x32, 0x2e, 0x30, 0x10, 0x00);

type Counts = Readonly<Record<string, number>>;

/** A source of messages that is fetched again and again. */
class Feed {
  readonly #source: RemoteFile;
  readonly #clock: FeedClock;

  constructor(location: string, settings: UpdaterSettings, context: UpdaterContext) {
    this.#source = new RemoteFile({ location, ...context.access, headers: settings.headers() });
    this.#clock = new FeedClock(settings.staleAfterSec());
  }

  /** No message is in use any more, so that any one is new. */
  forget(): void {
    this.#source.forget();
    this.#clock.forget();
  }

  /** Fetches a message and uses it if it is new and not older than the one in use. */
  use(signal: AbortSignal, use: (bytes: Uint8Array) => Promise<Counts>): Promise<Outcome | undefined> {
    return this.#source.use(signal, async (bytes) => {
      const { messageTime } = await import('./message-time.js');
      const time = messageTime(bytes);
      this.#clock.check(time);
      const counts = await use(bytes);
      this.#clock.advance(time);
      return { counts, dataTimestamp: time === undefined ? undefined : time * 1000 };
    });
  }
}

/** Removes the trip updates of an updater about a feed; about all feeds when the id is empty. */
export async function forgetTripUpdates(context: UpdaterContext, feedId: string): Promise<void> {
  const source = tripUpdateSource(context);
  // Other updaters may keep days that are over.
  await context.sink.graph.applyTripUpdates(EMPTY_DATASET, { feedId, source, purgeExpiredData: false });
}

/** Number of an updater as a source of trip updates. 0 stands for callers of the library that give none. */
export function tripUpdateSource({ number }: UpdaterContext): number {
  return number + 1;
}

/** What a message has that is not read. */
export function unreadEntities({ issues }: TripUpdateReport): string | undefined {
  return issues.find(({ code }) => code === 'unread-entities')?.message;
}

/** Logs the first issues of a report; returns its counts. */
export function logIssues(report: TripUpdateReport, { logger }: UpdaterContext) {
  const { issues, received, updated, canceled, added, modified, rejected, expired } = report;
  for (const { code, message } of issues.slice(0, 10)) logger.debug({ code }, message);
  return { received, updated, canceled, added, modified, rejected, expired };
}
