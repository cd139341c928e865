import { Random } from '../../../src/bench/random.js';
import { quarterName, streetName } from '../names.js';
import type { Terrain } from '../terrain.js';
import type { PlanPoint, TownPlan } from '../town-plan.js';
import type { Ride, Stop } from './course.js';

/** Metres from the middle of the street to the kerb where buses stop (traffic drives on the right). */
const KERB_M = 9;

/** A station with its platforms, in the order of their creation. */
export interface Station {
  stop: Stop;
  platforms: Stop[];
  entrances: Stop[];
}

/** The stops of one feed: one for each place, however often it is requested. */
export class StopRegister {
  readonly #stops = new Map<string, Stop>();
  readonly stations = new Map<string, Station>();

  constructor(
    readonly plan: TownPlan,
    readonly terrain: Terrain,
  ) {}

  /** Every stop, station and entrance, in the order of their creation. */
  get all(): Stop[] {
    return [...this.#stops.values()];
  }

  /** The stop on the right side of a street, at a share of its length in the direction of travel. */
  kerb(kind: string, ride: Ride, share: number): Stop {
    const along = ride.forward ? share : 1 - share;
    const middle = this.plan.along(ride.axis, ride.column, ride.row, along);
    const side = ride.forward ? KERB_M : -KERB_M;
    const point = ride.axis === 'h' ? { x: middle.x, y: middle.y - side } : { x: middle.x + side, y: middle.y };
    const number = `${ride.axis}${ride.column}-${ride.row}-${Math.round(along * 100)}`;
    const line = ride.axis === 'h' ? ride.row : ride.column;
    const street = streetName(this.plan.seed, ride.axis, line);
    const name = `${street} / ${quarterName(this.plan.seed, ride.column * 2 + (along < 0.5 ? 0 : 1), ride.row)}`;
    return this.add(`${kind}${number}${ride.forward ? '+' : '-'}`, name, point);
  }

  add(id: string, name: string, point: PlanPoint, extra: Partial<Stop> = {}): Stop {
    const known = this.#stops.get(id);
    if (known) return known;
    const random = new Random(this.plan.seed, 'stop', id);
    const stop: Stop = {
      id,
      code: String(1000 + this.#stops.size),
      name,
      position: this.terrain.locate(point),
      zone: this.#zone(point),
      locationType: 0,
      parent: '',
      platform: '',
      wheelchair: random.chance(0.8) ? 1 : random.chance(0.5) ? 2 : 0,
      ...extra,
    };
    this.#stops.set(id, stop);
    return stop;
  }

  /** The station at a place, with two entrances: one with an elevator, one with stairs only. */
  station(id: string, name: string, point: PlanPoint): Station {
    const known = this.stations.get(id);
    if (known) return known;
    const stop = this.add(id, name, point, { locationType: 1, wheelchair: 1 });
    const entrances = [
      this.add(
        `${id}:A`,
        `${name} A`,
        { x: point.x + 20, y: point.y - 20 },
        { locationType: 2, parent: id, wheelchair: 1, zone: '' },
      ),
      this.add(
        `${id}:B`,
        `${name} B`,
        { x: point.x - 20, y: point.y + 20 },
        { locationType: 2, parent: id, wheelchair: 2, zone: '' },
      ),
    ];
    const station: Station = { stop, platforms: [], entrances };
    this.stations.set(id, station);
    return station;
  }

  /** A platform of a station; without a number it gets the next one. */
  platform(station: Station, id: string, point: PlanPoint, number = String(station.platforms.length + 1)): Stop {
    const known = this.#stops.get(id);
    if (known) return known;
    const platform = this.add(id, station.stop.name, point, {
      parent: station.stop.id,
      platform: number,
      wheelchair: 1,
    });
    station.platforms.push(platform);
    return platform;
  }

  #zone(point: PlanPoint): string {
    const far = this.plan.remoteness(point);
    return far < 0.4 ? 'A' : far < 0.85 ? 'B' : 'C';
  }
}
