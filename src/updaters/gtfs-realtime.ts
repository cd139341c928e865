/** Updaters over GTFS-Realtime messages that are polled: trip updates, alerts, vehicle positions. */

import { loadAddon } from '../native/addon.js';
import type { TripUpdateReport } from '../native/types.js';
import type { PollingTask } from './polling-updater.js';
import { RemoteFile } from './remote-file.js';
import type { UpdaterSettings } from './settings.js';
import type { UpdaterContext } from './updater.js';

const PACKAGE = 'org.opentripplanner.updater';

/** Trip updates by http (`gtfs-http`, `url`) or from a file (`gtfs-file`, `file`). */
export function stopTimeTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const byHttp = settings.oneOf('sourceType', ['gtfs-http', 'gtfs-file']) === 'gtfs-http';
  const location = settings.required(byHttp ? 'url' : 'file');
  const source = new RemoteFile({ location, directory: context.directory });
  const name = byHttp ? 'GtfsRealtimeHttpUpdateStreamer' : 'GtfsRealtimeFileTripUpdateSource';
  const options = {
    feedId: settings.text('feedId') ?? '',
    fuzzyTripMatching: settings.flag('fuzzyTripMatching', false),
    purgeExpiredData: settings.flag('purgeExpiredData', true),
  };
  return {
    type: 'stop-time-updater',
    description: `Streaming stoptime updater with update source = ${name}(${location})`,
    className: `${PACKAGE}.stoptime.PollingStoptimeUpdater`,
    frequencySec: settings.number('frequencySec', 60),
    run: (signal) =>
      changed(source, signal, async (bytes) =>
        tell(await context.sink.graph.applyTripUpdates(bytes, options), context),
      ),
  };
}

/** Alerts of a feed; each message replaces the ones before. */
export function alertsTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const url = settings.required('url');
  const source = new RemoteFile({ location: url, directory: context.directory });
  const feedId = settings.text('feedId') ?? '';
  const earlyStart = settings.number('earlyStartSec', 0);
  return {
    type: 'real-time-alerts',
    description: `GtfsRealtimeUpdater(${url})`,
    className: `${PACKAGE}.alerts.GtfsRealtimeAlertsUpdater`,
    frequencySec: settings.number('frequencySec', 60),
    run: (signal) =>
      changed(source, signal, async (bytes) => {
        const { decodeAlerts } = await loadAddon();
        const alerts = decodeAlerts(bytes, feedId, earlyStart);
        context.sink.putAlerts(context.number, alerts);
        return { alerts: alerts.length };
      }),
  };
}

/** Where vehicles are. */
export function vehiclesTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const url = settings.required('url');
  const source = new RemoteFile({ location: url, directory: context.directory });
  return {
    type: 'vehicle-positions',
    description: `VehiclePositionsUpdater(${url})`,
    className: 'VehiclePositionsUpdater',
    frequencySec: settings.number('frequencySec', 60),
    run: (signal) =>
      changed(source, signal, async (bytes) => {
        const { decodeVehicles } = await loadAddon();
        const vehicles = decodeVehicles(bytes);
        context.sink.putVehicles(context.number, vehicles);
        return { vehicles: vehicles.length };
      }),
  };
}

type Use = (bytes: Uint8Array) => Promise<Readonly<Record<string, number>>>;

/** Fetches, and uses what is new. What could not be used is fetched again even when it has not changed. */
async function changed(source: RemoteFile, signal: AbortSignal, use: Use) {
  const bytes = await source.fetch(signal);
  if (bytes === undefined) return undefined;
  try {
    return await use(bytes);
  } catch (error) {
    source.forget();
    throw error;
  }
}

/** The report in numbers; what was rejected is a detail of the log. */
export function tell(report: TripUpdateReport, { logger }: UpdaterContext) {
  const { issues, received, updated, canceled, added, modified, rejected, expired } = report;
  for (const { code, message } of issues.slice(0, 10)) logger.debug({ code }, message);
  return { received, updated, canceled, added, modified, rejected, expired };
}
