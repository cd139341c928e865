/** Creates the updater of a configuration. */

import type { UpdaterConfig } from '../config/router-config.js';
import { bikeParkTask } from './bike-park.js';
import { bikeRentalTask } from './bike-rental.js';
import { shownLocation } from './feed-address.js';
import { alertsTask, stopTimeTask, vehiclesTask } from './gtfs-realtime.js';
import { type PollingTask, PollingUpdater } from './polling-updater.js';
import { UpdaterSettings } from './settings.js';
import { StreamingUpdater } from './streaming-updater.js';
import { streetNotesTask } from './street-notes.js';
import type { Updater, UpdaterContext } from './updater.js';

type MakeTask = (settings: UpdaterSettings, context: UpdaterContext) => PollingTask;

const TASKS: Readonly<Record<string, MakeTask>> = {
  'stop-time-updater': stopTimeTask,
  'real-time-alerts': alertsTask,
  'bike-rental': bikeRentalTask,
  'bike-park': bikeParkTask,
  'vehicle-positions': vehiclesTask,
  'winkki-polling-updater': streetNotesTask,
  'example-updater': idleTask,
  'example-polling-updater': idleTask,
};

export function createUpdater(config: UpdaterConfig, context: UpdaterContext): Updater {
  const settings = new UpdaterSettings(config);
  const type = settings.required('type');
  if (type === 'websocket-gtfs-rt-updater') return new StreamingUpdater(settings, context);
  const task = TASKS[type];
  if (task === undefined) throw new Error(`no updater is of type ${type}`);
  const frequencySec = settings.number('frequencySec', type === 'example-updater' ? 5 : 60);
  const access = { ...context.access, periodMs: 1000 * Math.max(0, frequencySec) };
  return new PollingUpdater(type, task(settings, { ...context, access }), frequencySec, context.logger);
}

/** Does nothing at its interval: the examples of the interface. */
function idleTask(settings: UpdaterSettings): PollingTask {
  const type = settings.required('type');
  return {
    description: `${type}(${shownLocation(settings.text('url') ?? '')})`,
    className: type,
    staleAfterSec: 0,
    run: async () => ({ counts: {} }),
    forget: () => {},
    drop: () => {},
  };
}
