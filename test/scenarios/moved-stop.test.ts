/** A stop that a scenario moves, compared with a graph of the same town whose feed has the stop at that place. */

import { join } from 'node:path';
import test from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import { Terrain } from '../../scripts/sample-town/terrain.js';
import { TownPlan } from '../../scripts/sample-town/town-plan.js';
import { DEFAULT_PERIOD } from '../../scripts/sample-town/transit/calendar.js';
import { writeFeed } from '../../scripts/sample-town/transit/feed-files.js';
import { cityFeed, feedTables } from '../../scripts/sample-town/transit/feeds.js';
import type { Graph, PlanRequest } from '../../src/native/types.js';
import { type BuiltGraph, buildGraph, builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

/** Streets around the stops are cut elsewhere in the other graph, which rounds their lengths differently. */
const SAME_METRES = 2;
const MORNING = Date.parse('2026-11-23T08:00:00+01:00') / 1000;
/** Places along each side of the town. */
const PLACES = 5;

const town = builtBefore(test, buildSampleTown);

/** The town with a stop of its city's feed at another place. */
function buildWithStopAt(id: string, lat: number, lon: number): Promise<BuiltGraph> {
  return buildGraph(async (directory) => {
    await writeSample(directory, { size: 'village' });
    const plan = TownPlan.of(1, 'village');
    const tables = feedTables(cityFeed(plan, new Terrain(plan)), DEFAULT_PERIOD).map((table) => {
      if (table.name !== 'stops') return table;
      const columns = table.header.split(',');
      const [idColumn, latColumn, lonColumn] = ['stop_id', 'stop_lat', 'stop_lon'].map((name) => columns.indexOf(name));
      const rows = [...table.rows].map((row) =>
        row.map((cell, column) => {
          if (row[idColumn ?? 0] !== id) return cell;
          return column === latColumn ? lat : column === lonColumn ? lon : cell;
        }),
      );
      return { ...table, rows };
    });
    await writeFeed(join(directory, 'city.gtfs.zip'), tables);
  });
}

/** Places all over the town. */
function places({ graph }: BuiltGraph): Array<{ lat: number; lon: number }> {
  const { lowerLeftLatitude: south, upperRightLatitude: north } = graph.info();
  const { lowerLeftLongitude: west, upperRightLongitude: east } = graph.info();
  const at = (place: number) => 0.1 + (0.8 * place) / (PLACES - 1);
  return Array.from({ length: PLACES * PLACES }, (_, i) => ({
    lat: south + (north - south) * at(i % PLACES),
    lon: west + (east - west) * at(Math.floor(i / PLACES)),
  }));
}

/** The rides of the itineraries between two places, and how far they walk. */
async function trips(graph: Graph, from: PlanRequest['from'], to: PlanRequest['to']) {
  const request: PlanRequest = { from, to, epochSeconds: MORNING, modes: ['TRANSIT', 'WALK'], numItineraries: 2 };
  const { plan } = await graph.plan(request);
  return (plan?.itineraries ?? []).map(({ legs, walkDistance }) => {
    const described = legs.flatMap(({ transit, from, to, startTime }) =>
      transit ? [`${transit.tripId} ${from.stopId} ${to.stopId} ${startTime}`] : [],
    );
    return { rides: described, walkDistance };
  });
}

test('a moved stop is used as in a graph of a feed that has it there', async (t) => {
  const all = places(town);
  const pairs = all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, to })));
  // The stop where most trips begin, to a corner that a trip on foot turns at.
  const counts = new Map<string, number>();
  for (const { from, to } of pairs) {
    for (const { rides } of await trips(town.graph, from, to)) {
      const stop = /(city:\S+)/.exec(rides[0]?.split(' ')[1] ?? '')?.[1];
      if (stop !== undefined) counts.set(stop, (counts.get(stop) ?? 0) + 1);
    }
  }
  const [stopId = ''] = [...counts.entries()].sort(([, a], [, b]) => b - a)[0] ?? [];
  const [start] = pairs;
  if (!start) throw new Error('there are no places');
  const walk = await town.graph.plan({ ...start, epochSeconds: MORNING, modes: ['WALK'] });
  const steps = walk.plan?.itineraries[0]?.legs[0]?.steps ?? [];
  const corner = steps[steps.length >> 1];
  if (!corner) throw new Error('nobody walks there');
  const { lat, lon } = corner;

  const changed = await town.graph.withScenario([{ type: 'move-stop', stopId, lat, lon }]);
  t.teardown(() => changed.dispose());
  t.like(changed.modificationReports()[0], { warnings: [] });
  const rebuilt = await buildWithStopAt(stopId.replace('city:', ''), lat, lon);
  t.teardown(() => rebuilt.remove());

  let moved = 0;
  for (const { from, to } of pairs) {
    const [before, found, expected] = [
      await trips(town.graph, from, to),
      await trips(changed, from, to),
      await trips(rebuilt.graph, from, to),
    ];
    t.deepEqual(
      found.map(({ rides }) => rides),
      expected.map(({ rides }) => rides),
      JSON.stringify({ from, to }),
    );
    for (const [i, { walkDistance }] of found.entries()) {
      t.true(Math.abs(walkDistance - (expected[i]?.walkDistance ?? 0)) <= SAME_METRES, `${walkDistance}`);
    }
    if (JSON.stringify(before) !== JSON.stringify(found)) moved += 1;
  }
  t.true(moved > 20, `only ${moved} trips change`);
});
