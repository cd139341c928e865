import type { Stop } from './course.js';
import type { Table } from './feed-files.js';
import type { Feed } from './feeds.js';
import { RouteType } from './line.js';
import type { Station } from './stop-register.js';

/** transfer_type. */
const PREFERRED = 0;
const TIMED = 1;
const MINIMUM = 2;
const FORBIDDEN = 3;

export function stopTable(stops: readonly Stop[]): Table {
  return {
    name: 'stops',
    header:
      'stop_id,stop_code,stop_name,stop_lat,stop_lon,zone_id,stop_url,location_type,parent_station,platform_code,wheelchair_boarding',
    rows: stops.map((stop) => [
      stop.id,
      stop.code,
      stop.name,
      stop.position.lat.toFixed(6),
      stop.position.lon.toFixed(6),
      stop.zone,
      '',
      stop.locationType,
      stop.parent,
      stop.platform,
      stop.wheelchair,
    ]),
  };
}

/** transfers.txt: minimum times within stations, and a few preferred, timed and forbidden changes. */
export function transferTable(feed: Feed): Table {
  return {
    name: 'transfers',
    header: 'from_stop_id,to_stop_id,transfer_type,min_transfer_time',
    rows: transfers(feed),
  };
}

function* transfers(feed: Feed): Generator<(string | number)[]> {
  for (const { platforms, stop } of feed.stops.stations.values()) {
    const rail = stop.id.startsWith('R');
    for (const from of platforms) {
      for (const to of platforms) {
        if (from === to) continue;
        const across = lineOf(from) !== lineOf(to);
        if (rail) yield [from.id, to.id, TIMED, ''];
        else yield [from.id, to.id, MINIMUM, across ? 180 : 90];
      }
    }
  }
  const trams = feed.lines.filter((line) => line.type === RouteType.tram).map((line) => line.courses[0]?.calls ?? []);
  const [first, second] = [middle(trams[0]), middle(trams[1])];
  if (first && second) {
    yield [first.id, second.id, PREFERRED, ''];
    yield [second.id, first.id, PREFERRED, ''];
  }
  const buses = feed.lines.filter((line) => line.type === RouteType.bus);
  const [one, other] = [buses[0]?.courses[0]?.calls[1]?.stop, buses[0]?.courses[1]?.calls[1]?.stop];
  if (one && other) yield [one.id, other.id, FORBIDDEN, ''];
}

function middle(calls: readonly { stop: Stop }[] | undefined): Stop | undefined {
  return calls?.[Math.floor(calls.length / 2)]?.stop;
}

/** `S4-4:U1:0` → `U1`. */
function lineOf(platform: Stop): string {
  return platform.id.split(':')[1] ?? '';
}

/**
 * pathways.txt, every walk in both directions: the current columns, and those of the older proposal (pathway_type,
 * wheelchair_traversal_time) that many programs still read.
 */
export function pathwayTable(stations: readonly Station[]): Table {
  return {
    name: 'pathways',
    header:
      'pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,pathway_type,wheelchair_traversal_time',
    rows: pathways(stations),
  };
}

function* pathways(stations: readonly Station[]): Generator<(string | number)[]> {
  for (const { platforms, entrances } of stations) {
    for (const entrance of entrances) {
      const elevator = entrance.wheelchair === 1;
      for (const platform of platforms) {
        const walks = [
          [entrance.id, platform.id],
          [platform.id, entrance.id],
        ] as const;
        for (const [from, to] of walks) {
          const seconds = elevator ? 110 : 75;
          yield [`${from}>${to}`, from, to, elevator ? 5 : 2, 0, 60, seconds, elevator ? 3 : 2, elevator ? 130 : ''];
        }
      }
    }
  }
}
