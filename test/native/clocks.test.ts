/** The clocks of a graph compared with those of the runtime. */

import test from 'ava';
import { wallClock, zonedToEpoch } from '../../src/zoned-time.js';
import { clocksOf } from '../support/clocks.js';
import { buildSmallFeed } from '../support/small-feed.js';

const WEEK = 7 * 86_400;

for (const zone of ['Europe/Lisbon', 'America/Los_Angeles', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
  test(`clocks in ${zone}`, async (t) => {
    const agency = `agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,${zone}`;
    const { graph, remove } = await buildSmallFeed({ 'agency.txt': agency });
    t.teardown(remove);
    const runtime = clocksOf(zone);
    // Every week from 1920 to 2100, at another second of the week.
    for (let at = -1_577_923_200; at < 4_102_444_800; at += WEEK + 61) {
      const offset = runtime.utcOffset(at);
      if (graph.utcOffset(at) !== offset) t.is(graph.utcOffset(at), offset, new Date(at * 1000).toISOString());
    }
    t.is(graph.utcOffset(1_557_730_800.75), runtime.utcOffset(1_557_730_800));
    const wall = { year: 12_019, month: 7, day: 20, hour: 8, minute: 30, second: 15 };
    t.deepEqual(wallClock(zonedToEpoch(wall, graph), graph), wall);
    t.is(zonedToEpoch(wall, graph), zonedToEpoch(wall, runtime));
    t.is(zonedToEpoch({ ...wall, year: 300_000 }, graph), Number.NaN);
    const ancient = { ...wall, year: -12_019 };
    t.deepEqual(wallClock(zonedToEpoch(ancient, graph), graph), ancient);
  });
}
