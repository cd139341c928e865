import test from 'ava';
import type { InProcessTarget } from '../../src/bench/in-process-target.js';
import { LiveTarget } from '../../src/bench/live-target.js';
import { tripUpdateMessages } from '../../src/bench/trip-updates.js';
import type { Graph } from '../../src/native/types.js';
import { buildSampleTown } from '../support/sample-graph.js';

/** Number of trips with other times than scheduled on a day. */
function lateTrips(graph: Graph, day: string): number {
  const { trips, scheduledArrivals, realtimeArrivals } = graph.stopTimesOnDateSync(graph.list('stops'), day);
  return new Set(trips.filter((_, i) => realtimeArrivals[i] !== scheduledArrivals[i])).size;
}

test('every message gives all trips under way other delays', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { graph } = town;
  const messages = await tripUpdateMessages(graph, 50, '2026-11-23', '8:30', 1);
  t.true(messages.length > 1);
  for (const message of messages) {
    const { received, updated } = await graph.applyTripUpdates(message, { purgeExpiredData: false });
    t.deepEqual([received, updated], [50, 50]);
  }
  t.is(new Set(messages.map((message) => Buffer.from(message).toString('hex'))).size, messages.length);
  await graph.clearTripUpdates();
});

test('messages arrive while a series is timed, and their data is forgotten after it', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { graph } = town;
  const messages = await tripUpdateMessages(graph, 50, '2026-11-23', '8:30', 1);
  const target = new LiveTarget({} as InProcessTarget, graph, messages);
  const during = await target.during(async () => lateTrips(graph, '20261123'));
  t.true(during > 40, `${during} trips`);
  t.is(lateTrips(graph, '20261123'), 0);
});
