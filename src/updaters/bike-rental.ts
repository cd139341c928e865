/** Rental stations from any of the supported systems. */

import { randomUUID } from 'node:crypto';
import { documentText } from '../charset.js';
import { elementsOf } from '../comma-list.js';
import { GbfsSystem } from './bike-sources/gbfs.js';
import { JSON_SOURCES } from './bike-sources/json-sources.js';
import type { SourceFacts, StationReader } from './bike-sources/source.js';
import { shownLocation } from './feed-address.js';
import type { PollingTask } from './polling-updater.js';
import { type FeedAccess, RemoteFile } from './remote-file.js';
import { type RentalStation, requireFewStations } from './rental-station.js';
import { readInTurns } from './rows.js';
import type { UpdaterSettings } from './settings.js';
import type { UpdaterContext } from './updater.js';

const CLASS_NAME = 'org.opentripplanner.updater.bike_rental.BikeRentalUpdater';

/** Largest document; parsed, it takes several times as much memory. */
const MOST_BYTES = 32 * 1024 ** 2;

/** Header in which each system expects the key. */
const KEY_HEADERS: Readonly<Record<string, string>> = { 'b-cycle': 'ApiKey', 'uip-bike': 'Client-Identifier' };

interface StationSource {
  /** The stations; undefined when they have not changed. */
  fetch(signal: AbortSignal): Promise<RentalStation[] | undefined>;
  /** The next fetch gives the stations even if they have not changed. */
  forget(): void;
  /** What was missing in the last fetch that succeeded. */
  readonly warning?: string | undefined;
}

/** An updater's task: each run replaces the stations of the previous one. */
export function bikeRentalTask(settings: UpdaterSettings, context: UpdaterContext): PollingTask {
  const sourceType = settings.required('sourceType');
  const source = stationSource(sourceType, settings, context.access);
  const asCars = settings.flag('routeAsCar', false);
  const named = elementsOf(settings.text('networks') ?? '');
  const networks = named.length === 0 ? ['default'] : named;
  return {
    description: `${CLASS_NAME}(${sourceType}, ${shownLocation(settings.required('url'))})`,
    className: CLASS_NAME,
    staleAfterSec: settings.staleAfterSec(),
    run: async (signal) => {
      const found = await source.fetch(signal);
      if (found === undefined) return undefined;
      const stations = await readInTurns(requireFewStations(found), (station) => ({
        ...station,
        isCarStation: asCars || station.isCarStation,
        networks: station.networks ?? networks,
      }));
      try {
        await context.sink.putStations(context.number, stations);
      } catch (error) {
        // Searches do not know these stations, so the next run must read them again.
        source.forget();
        throw error;
      }
      return { counts: { stations: stations.length } };
    },
    warning: () => source.warning,
    forget: () => source.forget(),
    drop: () => context.sink.putStations(context.number, []),
  };
}

function stationSource(sourceType: string, settings: UpdaterSettings, access: FeedAccess): StationSource {
  const url = settings.required('url');
  const facts = sourceFacts(settings, url);
  const headers = { ...keyHeader(sourceType, settings), ...settings.headers() };
  if (sourceType === 'gbfs') {
    return new GbfsSystem(
      url,
      (options) => new RemoteFile({ ...options, ...access, headers, maxBytes: MOST_BYTES }),
      facts,
    );
  }
  const file = new RemoteFile({ location: url, ...access, headers, maxBytes: MOST_BYTES });
  return {
    fetch: (signal) =>
      file.use(signal, async (bytes) => {
        const read = await stationReader(sourceType);
        return read(documentText(bytes), facts);
      }),
    forget: () => file.forget(),
  };
}

/** Reader for systems with a single document. */
async function stationReader(sourceType: string): Promise<StationReader> {
  if (Object.hasOwn(JSON_SOURCES, sourceType)) return JSON_SOURCES[sourceType as keyof typeof JSON_SOURCES];
  const { XML_SOURCES } = await import('./bike-sources/xml-sources.js');
  return XML_SOURCES[sourceType as keyof typeof XML_SOURCES];
}

function keyHeader(sourceType: string, settings: UpdaterSettings): Record<string, string> {
  const header = KEY_HEADERS[sourceType];
  const key = settings.text('apiKey');
  return header === undefined || key === undefined ? {} : { [header]: key };
}

function sourceFacts(settings: UpdaterSettings, url: string): SourceFacts {
  const network = settings.text('network');
  const namePrefix = settings.text('namePrefix');
  const asCars = settings.flag('routeAsCar', false);
  const systemId = URL.canParse(url) ? new URL(url).searchParams.get('SystemID') : null;
  return {
    ...(network === undefined ? {} : { network }),
    ...(namePrefix === undefined ? {} : { namePrefix }),
    asCars,
    systemId: systemId ?? randomUUID(),
  };
}
