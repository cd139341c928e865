/** GBFS, versions 1 to 3: found through the discovery document, or beside each other below a base URL. */

import type { Json } from '../../json.js';
import type { RemoteFile, RemoteFileOptions } from '../remote-file.js';
import { numeric, type RentalStation, station, textual, UNKNOWN_SPACES } from '../rental-station.js';
import { readInTurns, rowsOf } from '../rows.js';
import type { SourceFacts } from './source.js';
import { VehicleTypes } from './vehicle-types.js';

/** Makes a reader for the document at an address. */
type OpenFile = (options: Pick<RemoteFileOptions, 'location' | 'discoveredFrom'>) => RemoteFile;

const INFORMATION = 'station_information';
const STATUS = 'station_status';
/** Bikes parked anywhere, by the document's name before version 3 and since. */
const FREE = ['free_bike_status', 'vehicle_status'];
const TYPES = 'vehicle_types';

/** Reads the needed content of a document; throws when it has another form. */
type ReadDocument = (document: Json) => Json;

const stationRows: ReadDocument = (document) => rowsOf(document?.data?.stations, 'stations');
const typeRows: ReadDocument = (document) => rowsOf(document?.data?.vehicle_types, 'vehicle types');
const bikeRows: ReadDocument = (document) => rowsOf(document?.data?.bikes ?? document?.data?.vehicles, 'bikes');

/** Addresses of a system's documents, by name. */
interface Feeds {
  readonly urls: ReadonlyMap<string, string>;
  /** The addresses are guessed, so documents may be missing. */
  readonly guessed: boolean;
  /** Why the document that may be meant as the discovery document could not be read. */
  readonly reason?: unknown;
}

/** One rental system. Documents are only read again when they have changed. */
export class GbfsSystem {
  readonly #documents = new Map<string, { file: RemoteFile; content: Json }>();
  /** Locations that the current run has read. */
  readonly #used = new Set<string>();
  /** The contents that the stations of the last complete run came from, by location. */
  #complete: ReadonlyMap<string, Json> = new Map();
  /** The kinds of vehicles, as they were last read; undefined where the system lists none. */
  #types: Json[] | undefined;
  #warning: string | undefined;

  /** `url` is that of the discovery document, or of the directory of all documents. */
  constructor(
    private readonly url: string,
    private readonly open: OpenFile,
    private readonly facts: SourceFacts,
  ) {}

  /**
   * All stations and bikes; undefined when no document has changed. Systems without free bikes, or without stations,
   * are complete too.
   */
  async fetch(signal: AbortSignal): Promise<RentalStation[] | undefined> {
    this.#used.clear();
    const feeds = await this.#discover(signal);
    const load = async (name: string, read: ReadDocument): Promise<Json[] | undefined> => {
      const location = feeds.urls.get(name);
      if (location === undefined) return undefined;
      return this.#load(feeds.guessed ? { location } : { location, discoveredFrom: this.url }, signal, read);
    };
    const optional = (name: string) =>
      feeds.guessed ? load(name, bikeRows).catch(() => undefined) : load(name, bikeRows);
    const information = await load(INFORMATION, stationRows).catch((error) => {
      throw feeds.reason ?? error;
    });
    const status = await load(STATUS, stationRows);
    // Kinds of vehicles hardly ever change, so those last read stay in use when they cannot be read now.
    let warning: string | undefined;
    const types = load(TYPES, typeRows).catch((error) => {
      if (!feeds.guessed) warning = (error as Error).message;
      return this.#types;
    });
    const all = await Promise.all(FREE.map(optional)).finally(async () => {
      this.#types = await types;
      this.#warning = warning;
    });
    const free = all.find((found) => found !== undefined);
    for (const location of this.#documents.keys()) {
      if (!this.#used.has(location)) this.#documents.delete(location);
    }
    const before = this.#complete;
    this.#complete = new Map([...this.#documents].map(([location, { content }]) => [location, content]));
    const isSame = [...this.#complete].every(([location, content]) => before.get(location) === content);
    if (isSame && before.size === this.#complete.size) return undefined;
    const facts = {
      network: this.facts.network ?? 'GBFS',
      types: new VehicleTypes(this.#types, this.facts.asCars === true),
    };
    return (await stations(information ?? [], status ?? [], facts)).concat(await bikes(free ?? [], facts));
  }

  /** Why the kinds of vehicles were not read in the last run, although the system lists them. */
  get warning(): string | undefined {
    return this.#warning;
  }

  /** The next run gives the stations even if no document has changed. */
  forget(): void {
    this.#complete = new Map();
  }

  /** A directory usually has a discovery document too; otherwise the usual names are tried. */
  async #discover(signal: AbortSignal): Promise<Feeds> {
    const load = (location: string) => this.#load({ location }, signal, listed);
    // Documents may be named `gbfs` too, as directories are.
    if (/gbfs\.json(\?.*)?$/.test(this.url) || this.#documents.has(this.url)) return load(this.url);
    const base = this.url.endsWith('/') ? this.url : `${this.url}/`;
    let reason: unknown;
    if (/gbfs(\?.*)?$/.test(this.url)) {
      try {
        return await load(this.url);
      } catch (error) {
        reason = error;
      }
    }
    const found = await load(`${base}gbfs.json`).catch(() => undefined);
    if (found !== undefined) return found;
    const names = [INFORMATION, STATUS, TYPES, ...FREE];
    return { guessed: true, reason, urls: new Map(names.map((name) => [name, `${base}${name}.json`])) };
  }

  /**
   * The content of a document, read again only when it has changed. A document of an unexpected form is not remembered,
   * so that the next run reads it again.
   */
  async #load(options: Parameters<OpenFile>[0], signal: AbortSignal, read: ReadDocument): Promise<Json> {
    this.#used.add(options.location);
    const known = this.#documents.get(options.location);
    const file = known?.file ?? this.open(options);
    const changed = await file.use(signal, (bytes) => read(JSON.parse(new TextDecoder().decode(bytes))));
    if (changed === undefined) return known?.content;
    this.#documents.set(options.location, { file, content: changed });
    return changed;
  }
}

/** Version 3 lists the feeds directly, earlier ones by language. */
function listed(document: Json): Feeds {
  const data = document?.data;
  const feeds = rowsOf(data?.feeds ?? (data?.en ?? (Object.values(data ?? {})[0] as Json))?.feeds, 'feeds');
  if (feeds.length === 0) throw new Error('the discovery document lists no feeds');
  return { guessed: false, urls: new Map(feeds.map((feed) => [String(feed.name), String(feed.url)])) };
}

/** What all rows of a system have in common. */
interface SystemFacts {
  readonly network: string;
  readonly types: VehicleTypes;
}

async function stations(
  information: Json[],
  status: Json[],
  { network, types }: SystemFacts,
): Promise<RentalStation[]> {
  const states = new Map<string, Json>(status.map((row) => [textual(row.station_id), row]));
  return readInTurns(information, (row) => {
    const state = states.get(textual(row.station_id));
    if (state?.is_installed === false || state?.is_installed === 0) return undefined;
    const renting = state?.is_renting !== false && state?.is_renting !== 0;
    const returning = state?.is_returning !== false && state?.is_returning !== 0;
    return station({
      id: textual(row.station_id),
      name: plain(row.name),
      lat: numeric(row.lat),
      lon: numeric(row.lon),
      bikesAvailable: renting ? types.vehicles(state) : 0,
      // Stations where any number of bikes may be left give none.
      spacesAvailable: returning ? types.docks(state, row.capacity ?? UNKNOWN_SPACES) : 0,
      networks: [network],
      realTimeData: state !== undefined,
    });
  });
}

function bikes(free: Json[], { network, types }: SystemFacts): Promise<RentalStation[]> {
  return readInTurns(free, (row) => {
    if (!types.counts(row.vehicle_type_id)) return undefined;
    // A bike at a station is already counted at that station.
    if (row.is_disabled || row.is_reserved || row.lat === undefined || row.station_id) return undefined;
    return station({
      id: textual(row.bike_id ?? row.vehicle_id),
      name: plain(row.name),
      lat: numeric(row.lat),
      lon: numeric(row.lon),
      bikesAvailable: 1,
      spacesAvailable: 0,
      allowDropoff: false,
      isFloatingBike: true,
      networks: [network],
    });
  });
}

/** Version 3 gives names in several languages. */
function plain(name: unknown): string {
  return textual(Array.isArray(name) ? name[0]?.text : name);
}
