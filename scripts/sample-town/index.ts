import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeElevation } from './elevation.js';
import { PbfWriter } from './osm/pbf-writer.js';
import { writePointSet } from './point-set.js';
import { Drawing } from './streets/drawing.js';
import { Lattice } from './streets/lattice.js';
import { drawTown } from './streets/town.js';
import { Terrain } from './terrain.js';
import { TownPlan } from './town-plan.js';
import { TOWN_SIZES, type TownSize } from './town-size.js';
import { DEFAULT_PERIOD, type ServicePeriod } from './transit/calendar.js';
import { writeFeed } from './transit/feed-files.js';
import { cityFeed, feedTables, regionFeed } from './transit/feeds.js';

/** What town to write. Equal options give equal contents. */
export interface SampleOptions {
  /** Any integer; default 1. */
  seed?: number;
  /** Default `town`. */
  size?: TownSize;
  /** Quarters along each side, instead of a size. */
  quarters?: number;
  /** Days served by the timetables; default the years 2026 and 2027. */
  period?: ServicePeriod;
  /** Whether feeds and streets are written uncompressed, for files that are compressed as a whole; default false. */
  stored?: boolean;
}

/**
 * Writes a synthetic town into a directory as inputs of a graph build: `streets.osm.pbf`, a feed per operator and
 * `elevation.tif`, with a point set in `pointsets`.
 */
export async function writeSample(directory: string, options: SampleOptions = {}): Promise<void> {
  const plan = new TownPlan(options.seed ?? 1, options.quarters ?? TOWN_SIZES[options.size ?? 'town']);
  const terrain = new Terrain(plan);
  await mkdir(join(directory, 'pointsets'), { recursive: true });

  const streets = new PbfWriter(join(directory, 'streets.osm.pbf'), terrain.bounds(), options.stored ? 0 : undefined);
  drawTown(new Drawing(new Lattice(plan), terrain, streets));
  streets.finish();

  for (const feed of [cityFeed(plan, terrain), regionFeed(plan, terrain)]) {
    const tables = feedTables(feed, options.period ?? DEFAULT_PERIOD);
    await writeFeed(join(directory, `${feed.id}.gtfs.zip`), tables, options.stored);
  }
  writeElevation(join(directory, 'elevation.tif'), terrain);
  writePointSet(join(directory, 'pointsets', 'town.csv'), plan, terrain);
}
