/** The live data of one router: its updaters and their data. */

import path from 'node:path';
import type { Logger } from 'pino';
import type { RouterConfig } from '../config/router-config.js';
import type { AlertPatch, LiveGraph, StreetAlertInput } from '../native/types.js';
import { createUpdater } from './create-updater.js';
import type { FeedVehicle } from './feed-vehicle.js';
import { oneAtATime } from './one-at-a-time.js';
import type { FeedAccess } from './remote-file.js';
import { type RentalStation, station } from './rental-station.js';
import { readInTurns } from './rows.js';
import type { LiveSink, Updater } from './updater.js';

/** Starts and ends with its router. */
export class LiveData implements LiveSink {
  /** In the order of the configuration. */
  readonly updaters: readonly Updater[];
  readonly #stations = new Map<number, readonly RentalStation[]>();
  readonly #parks = new Map<number, readonly RentalStation[]>();
  /** The stations and parks that searches know; what updaters put since then is not shown before searches use it. */
  #searched: { readonly stations: readonly RentalStation[]; readonly parks: readonly RentalStation[] } = {
    stations: [],
    parks: [],
  };
  readonly #streetAlerts = new Map<number, readonly StreetAlertInput[]>();
  readonly #vehicles = new Map<number, readonly FeedVehicle[]>();
  #patches: readonly AlertPatch[] = [];
  /** The stations of the graph, which never changes. */
  #fixedStations?: ReturnType<LiveGraph['staticRentalStations']>;
  readonly #applyStations = oneAtATime(() => this.#setStations());
  readonly #applyPatches = oneAtATime(() => this.graph.setAlerts([...this.#patches]));
  readonly #applyStreetAlerts = oneAtATime(async () => {
    await this.graph.setStreetAlerts([...this.#streetAlerts.values()].flat());
  });

  constructor(
    readonly graph: LiveGraph,
    { updaters, uploaded }: RouterConfig,
    file: string,
    feeds: Pick<FeedAccess, 'rule' | 'shared'>,
    private readonly logger: Logger,
  ) {
    const directory = path.dirname(path.resolve(file));
    const access: FeedAccess = { directory, ...feeds, chosenBy: uploaded ? 'uploader' : 'operator' };
    this.updaters = updaters.map((config, number) => createUpdater(config, { number, sink: this, access, logger }));
  }

  start(): void {
    for (const updater of this.updaters) updater.start();
  }

  stop(): void {
    for (const updater of this.updaters) updater.stop();
  }

  /**
   * The stations that searches know: those of the graph, overridden by those of the feeds; of two with the same id the
   * later one counts.
   */
  async stations(): Promise<RentalStation[]> {
    this.#fixedStations ??= this.graph.staticRentalStations();
    const byId = new Map<string, RentalStation>();
    for (const { capacity, ...fixed } of await this.#fixedStations) {
      const known = station({ ...fixed, ...halfFull(capacity), realTimeData: false });
      if (known !== undefined) byId.set(known.id, known);
    }
    for (const live of this.#searched.stations) byId.set(live.id, live);
    return [...byId.values()];
  }

  vehicles(): FeedVehicle[] {
    return [...this.#vehicles.values()].flat();
  }

  putStations(updater: number, stations: readonly RentalStation[]): Promise<void> {
    this.#stations.set(updater, stations);
    return this.#applyStations();
  }

  putParks(updater: number, parks: readonly RentalStation[]): Promise<void> {
    this.#parks.set(updater, parks);
    return this.#applyStations();
  }

  /** Whether a feed has stations or bikes to rent now. */
  hasLiveBikes(): boolean {
    return this.#searched.stations.some(({ isCarStation }) => !isCarStation);
  }

  /** The bike parks that searches know, of all updaters; of two with the same id the later one counts. */
  parks(): readonly RentalStation[] {
    return this.#searched.parks;
  }

  putStreetAlerts(updater: number, alerts: readonly StreetAlertInput[]): Promise<void> {
    this.#streetAlerts.set(updater, alerts);
    return this.#applyStreetAlerts();
  }

  putVehicles(updater: number, vehicles: readonly FeedVehicle[]): void {
    this.#vehicles.set(updater, vehicles);
  }

  /** Replaces the alerts that were sent to the server. Resolves when plans show them. */
  putPatches(patches: readonly AlertPatch[]): Promise<void> {
    this.#patches = patches;
    return this.#applyPatches();
  }

  async #setStations(): Promise<void> {
    const input = (isBikePark: boolean) => (station: RentalStation) => {
      const { networks, ...facts } = station;
      return { ...facts, isBikePark, networks: [...(networks ?? [])] };
    };
    const put = { stations: latest(this.#stations), parks: latest(this.#parks) };
    const stations = await readInTurns(put.stations, input(false));
    const parks = await readInTurns(put.parks, input(true));
    const unlinked = await this.graph.setRentalStations(stations.concat(parks));
    this.#searched = put;
    if (unlinked.length > 0) this.logger.debug({ stations: unlinked.slice(0, 20) }, 'stations far from streets');
  }
}

/** Nobody counts the bikes of a station of the map, so it is shown half full. Of an odd number of docks, one more has a bike. */
function halfFull(capacity = 4): Pick<RentalStation, 'bikesAvailable' | 'spacesAvailable'> {
  const spacesAvailable = Math.floor(capacity / 2);
  return { bikesAvailable: capacity - spacesAvailable, spacesAvailable };
}

/** The stations of all updaters; of two with the same id the later one counts. */
function latest(byUpdater: ReadonlyMap<number, readonly RentalStation[]>): RentalStation[] {
  const byId = new Map([...byUpdater.values()].flat().map((station) => [station.id, station]));
  return [...byId.values()];
}
