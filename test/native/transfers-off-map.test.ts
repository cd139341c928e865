/** Transfers between stops beyond the border of the map, which are linked at the last point of a street. */

import test from 'ava';
import { builtBefore } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';

/** A street to the north that ends at 41.002. It has enough parts not to count as an island. */
const LAST = 50;
const node = (i: number) => `<node id="${i + 1}" lat="${41 + (0.002 * i) / LAST}" lon="-8.6"/>`;
const way = (i: number) =>
  `<way id="${100 + i}"><nd ref="${i}"/><nd ref="${i + 1}"/><tag k="highway" v="residential"/></way>`;
const numbers = Array.from({ length: LAST }, (_, i) => i + 1);
const MAP = `<osm>${[0, ...numbers].map(node).join('')}${numbers.map(way).join('')}</osm>`;

/** One bus ends north of the street, the other begins 252 m west of there. */
const FEED = {
  'stops.txt': `stop_id,stop_name,stop_lat,stop_lon
start,Start,40.900,-8.600
north,North,41.0035,-8.600
west,West,41.0035,-8.603
end,End,41.100,-8.700`,
  'routes.txt': `route_id,agency_id,route_short_name,route_type
A,AG,A,3
B,AG,B,3`,
  'trips.txt': `route_id,service_id,trip_id
A,WK,first
B,WK,early
B,WK,late`,
  'stop_times.txt': `trip_id,stop_sequence,stop_id,arrival_time,departure_time
first,1,start,8:00:00,8:00:00
first,2,north,8:10:00,8:10:00
early,1,west,8:11:00,8:11:00
early,2,end,8:30:00,8:30:00
late,1,west,8:20:00,8:20:00
late,2,end,8:40:00,8:40:00`,
};

const feed = builtBefore(test, () => buildSmallFeed(FEED, MAP));

/** A third bus calls at a stop on the street, and at one that is nearer to the first bus but beyond the map. */
const TWO_STOPS = {
  ...FEED,
  'stops.txt': `${FEED['stops.txt']}
inner,Inner,41.001,-8.600
beside,Beside,41.0035,-8.6005`,
  'routes.txt': `${FEED['routes.txt']}
C,AG,C,3`,
  'trips.txt': `${FEED['trips.txt']}
C,WK,third`,
  'stop_times.txt': `${FEED['stop_times.txt']}
third,1,inner,8:09:00,8:09:00
third,2,beside,8:15:00,8:15:00
third,3,end,8:25:00,8:25:00`,
};

test('walks between stops that are linked at the same point are not listed, and replace none on the streets', async (t) => {
  const listed = (graph: typeof feed.graph, id: string) => {
    const { stops, distances } = graph.transfersSync(Uint32Array.from(graph.findSync('stops', [id])));
    return [[...graph.stopsSync(stops).map((stop) => stop.id)], [...distances].map(Math.round)];
  };
  t.deepEqual(listed(feed.graph, '1:north'), [[], []]);
  const { graph, remove } = await buildSmallFeed(TWO_STOPS, MAP);
  t.teardown(remove);
  t.deepEqual(listed(graph, '1:north'), [['1:inner'], [111]]);
});

test('a trip leaves time for the walk between them, and shows it', async (t) => {
  const { plan } = await feed.graph.plan({
    from: { label: '1:start' },
    to: { label: '1:end' },
    epochSeconds: Date.parse('2024-10-09T06:55:00Z') / 1000,
  });
  const [first, walk, second] = plan?.itineraries[0]?.legs ?? [];
  t.deepEqual(
    [first, second].map((leg) => leg?.transit?.tripId),
    ['1:first', '1:late'],
  );
  t.true(Math.abs((walk?.distance ?? 0) - 251.6) < 1, `${walk?.distance} m`);
  t.is(walk?.geometry.length, 2);
  t.is(walk?.steps.length, 1);
});
