/** Road works and other obstacles on streets, from a web feature service. */

import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import type { StreetAlertInput } from '../native/types.js';
import { isWebAddress, shownLocation } from './feed-address.js';
import type { PollingTask } from './polling-updater.js';
import { RemoteFile } from './remote-file.js';
import { rowsOf } from './rows.js';
import type { UpdaterSettings } from './settings.js';
import type { UpdaterContext } from './updater.js';

const CLASS_NAME = 'org.opentripplanner.updater.street_notes.WinkkiPollingGraphUpdater';

/** An updater's task: each run replaces the alerts of the previous one. */
export function streetNotesTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const url = settings.required('url');
  const featureType = settings.required('featureType');
  const source = new RemoteFile({
    location: featuresUrl(url, featureType),
    ...context.access,
    headers: settings.headers(),
  });
  return {
    description: `${CLASS_NAME}(${featureType}, ${shownLocation(url)})`,
    className: CLASS_NAME,
    staleAfterSec: settings.staleAfterSec(),
    run: (signal) =>
      source.use(signal, async (bytes) => {
        const notes = readNotes(new TextDecoder().decode(bytes));
        await context.sink.putStreetAlerts(context.number, notes);
        return { counts: { notes: notes.length } };
      }),
    forget: () => source.forget(),
    drop: () => context.sink.putStreetAlerts(context.number, []),
  };
}

/**
 * The address of the features, from the address of the service, which may contain any query; files are used as they
 * are. JSON has longitudes first in every version of the protocol.
 */
function featuresUrl(url: string, featureType: string): string {
  if (!isWebAddress(url)) return url;
  const target = new URL(url);
  const ours: Readonly<Record<string, string>> = {
    service: 'WFS',
    request: 'GetFeature',
    typename: featureType,
    typenames: featureType,
    outputformat: 'application/json',
    srsname: 'EPSG:4326',
  };
  for (const name of [...target.searchParams.keys()]) {
    if (Object.hasOwn(ours, name.toLowerCase())) target.searchParams.delete(name);
  }
  for (const [name, value] of Object.entries(ours)) target.searchParams.set(name, value);
  return target.href;
}

/** The notes of a GeoJSON document; throws when it is not GeoJSON. */
function readNotes(content: string): StreetAlertInput[] {
  const document = JSON.parse(content) as Partial<FeatureCollection> | null;
  return rowsOf(document?.features, 'features').flatMap((feature) => note(feature as Feature<Geometry | null>));
}

function note({ geometry, properties }: Feature<Geometry | null>): StreetAlertInput[] {
  const lines = geometry ? linesOf(geometry) : [];
  if (lines.length === 0) return [];
  const start = Date.parse(text(properties?.licence_startdate) || text(properties?.event_startdate));
  return [
    {
      header: `winkki:${text(properties?.licence_type)}`,
      description: text(properties?.event_description),
      ...(Number.isFinite(start) ? { effectiveStart: start / 1000 } : {}),
      lines: lines.map((line) => line.flatMap(([lon = Number.NaN, lat = Number.NaN]) => [lat, lon])),
      isArea: geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon',
    },
  ];
}

function linesOf(shape: Geometry): Position[][] {
  switch (shape.type) {
    case 'Point':
      return [[shape.coordinates]];
    case 'MultiPoint':
      return shape.coordinates.map((point) => [point]);
    case 'LineString':
      return [shape.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return shape.coordinates;
    case 'MultiPolygon':
      return shape.coordinates.flat();
    default:
      return [];
  }
}

/** Dates come with and without a time, and some have a `Z` after the day, which the runtime cannot parse. */
function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value).replace(/^(\d{4}-\d\d-\d\d)Z$/, '$1');
}
