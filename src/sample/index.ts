import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { writeElevation } from './elevation.js';
import { PbfWriter } from './osm/pbf-writer.js';
import { XmlWriter } from './osm/xml-writer.js';
import { TownPlan } from './plan.js';
import { writePointSet } from './point-set.js';
import { Drawing, type DrawnCounts } from './streets/drawing.js';
import { Lattice } from './streets/lattice.js';
import { drawTown } from './streets/town.js';
import { Terrain } from './terrain.js';
import type { TownSize } from './town-size.js';
import { DEFAULT_PERIOD, type ServicePeriod } from './transit/calendar.js';
import { writeFeed } from './transit/feed-files.js';
import { cityFeed, feedTables, regionFeed } from './transit/feeds.js';

export type { ServicePeriod } from './transit/calendar.js';

/** What town to write. Equal options give equal bytes. */
export interface SampleOptions {
  /** Any integer; default 1. */
  seed?: number;
  /** A named size or an approximate number of street vertices; default `town`. */
  size?: TownSize;
  /** Format of the street map; default `pbf`. */
  format?: 'pbf' | 'xml';
  /** Days served by the timetables; default the years 2026 and 2027. */
  period?: ServicePeriod;
  /** Directory of the point set; default `pointsets` inside the town's directory. */
  pointSets?: string;
}

/** One call before the first and after every part of the work; `fraction` of the step done, from 0 to 1. */
export type SampleProgress = (step: string, fraction: number) => void;

/** What was written. */
export interface SampleReport extends DrawnCounts {
  stops: number;
  routes: number;
  /** Paths of the files. */
  files: string[];
}

/**
 * Writes a synthetic town into a directory as inputs of a graph build: `streets.osm.pbf` (or `.osm`), a feed per
 * operator, `elevation.tif`, and a point set. Streets and timetables are written as they are made, so memory does not
 * grow with the town beyond the encoded ways and the lists of stops and lines.
 *
 * @throws RangeError for a size that is not a positive number; file system errors as they are.
 */
export async function writeSample(
  directory: string,
  options: SampleOptions = {},
  onProgress: SampleProgress = () => {},
): Promise<SampleReport> {
  const plan = TownPlan.of(options.seed ?? 1, options.size ?? 'town');
  const terrain = new Terrain(plan);
  const pointSets = options.pointSets ?? join(directory, 'pointsets');
  await mkdir(directory, { recursive: true });
  await mkdir(pointSets, { recursive: true });

  const streets = await writeStreets(directory, plan, terrain, options.format ?? 'pbf', onProgress);
  const transit = await writeTransit(directory, plan, terrain, options.period ?? DEFAULT_PERIOD, onProgress);

  const elevation = join(directory, 'elevation.tif');
  onProgress('elevation', 0);
  await writeElevation(elevation, terrain);
  onProgress('elevation', 1);
  const points = join(pointSets, 'town.csv');
  writePointSet(points, plan, terrain);
  onProgress('point set', 1);
  return {
    ...streets.counts,
    stops: transit.stops,
    routes: transit.routes,
    files: [streets.file, ...transit.files, elevation, points],
  };
}

async function writeStreets(
  directory: string,
  plan: TownPlan,
  terrain: Terrain,
  format: 'pbf' | 'xml',
  onProgress: SampleProgress,
): Promise<{ counts: DrawnCounts; file: string }> {
  const file = join(directory, format === 'pbf' ? 'streets.osm.pbf' : 'streets.osm');
  const sink = format === 'pbf' ? new PbfWriter(file, terrain.bounds()) : new XmlWriter(file, terrain.bounds());
  const drawing = new Drawing(new Lattice(plan), terrain, sink);
  onProgress('streets', 0);
  for (const fraction of drawTown(drawing)) {
    onProgress('streets', fraction);
    await setImmediate();
  }
  sink.finish();
  return { counts: drawing.counts, file };
}

async function writeTransit(
  directory: string,
  plan: TownPlan,
  terrain: Terrain,
  period: ServicePeriod,
  onProgress: SampleProgress,
): Promise<{ stops: number; routes: number; files: string[] }> {
  const result = { stops: 0, routes: 0, files: [] as string[] };
  for (const feed of [cityFeed(plan, terrain), regionFeed(plan, terrain)]) {
    onProgress(`${feed.id} timetable`, 0);
    const file = join(directory, `${feed.id}.gtfs.zip`);
    await writeFeed(file, feedTables(feed, period));
    result.stops += feed.stops.all.length;
    result.routes += feed.lines.length;
    result.files.push(file);
    onProgress(`${feed.id} timetable`, 1);
  }
  return result;
}
