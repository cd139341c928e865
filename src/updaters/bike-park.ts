/** Bike parks: placemarks of a KML file, which may be zipped. */

import { documentText } from '../charset.js';
import { shownLocation } from './feed-address.js';
import type { PollingTask } from './polling-updater.js';
import { RemoteFile } from './remote-file.js';
import type { UpdaterSettings } from './settings.js';
import type { UpdaterContext } from './updater.js';

const CLASS_NAME = 'org.opentripplanner.updater.bike_park.BikeParkUpdater';

/** An updater's task: each run replaces the parks of the previous one. */
export function bikeParkTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const url = settings.required('url');
  const source = new RemoteFile({ location: url, ...context.access, headers: settings.headers() });
  const namePrefix = settings.text('namePrefix');
  const facts = { systemId: '', ...(namePrefix === undefined ? {} : { namePrefix }) };
  const isZip = settings.flag('zip', false);
  return {
    description: `${CLASS_NAME}(kml-placemarks, ${shownLocation(url)})`,
    className: CLASS_NAME,
    // The same list of parks applies at any time of day.
    staleAfterSec: settings.number('staleAfterSec', 0),
    run: (signal) =>
      source.use(signal, async (bytes) => {
        const kml = isZip ? await unpackKml(bytes) : bytes;
        const { readPlacemarks } = await import('./bike-sources/xml-sources.js');
        const parks = readPlacemarks(documentText(kml), facts);
        await context.sink.putParks(context.number, parks);
        return { counts: { parks: parks.length } };
      }),
    forget: () => source.forget(),
    drop: () => context.sink.putParks(context.number, []),
  };
}

async function unpackKml(bytes: Uint8Array): Promise<Uint8Array> {
  const { unpackOnly } = await import('./zipped-file.js');
  return unpackOnly(bytes, '.kml');
}
