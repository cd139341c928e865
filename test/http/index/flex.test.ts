/** Flexible service in the transit index: hailing, service areas, booking. */

import test from 'ava';
import { builtBefore, sharedGraph } from '../../support/built-graph.js';
import { buildSmallFeed } from '../../support/small-feed.js';
import { startApp } from '../../support/test-app.js';

const feed = builtBefore(test, () =>
  buildSmallFeed({
    'trips.txt': `route_id,service_id,trip_id,drt_avg_travel_time,drt_advance_book_min,continuous_pickup_message
R:1,WK,dial,1.5*t,45.5,Wave
R:1,WK,plain,,,`,
    'stop_times.txt': `trip_id,stop_sequence,stop_id,arrival_time,departure_time,continuous_pickup,start_service_area_id,start_service_area_radius
dial,1,a:1,8:00:00,8:00:00,0,old,400
dial,2,b 2,8:10:00,8:11:00,,,
plain,1,a:1,9:00:00,9:00:00,,,
plain,2,b 2,9:10:00,9:10:00,,,`,
    'areas.txt': `area_id,wkt
old,"POLYGON((-8.60 41.00, -8.59 41.00, -8.59 41.01, -8.60 41.00))"`,
    'locations.geojson': JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'zona norte',
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [-8.6, 41],
                [-8.5, 41],
                [-8.5, 41.1],
                [-8.6, 41],
              ],
            ],
          },
        },
      ],
    }),
  }),
);

const INDEX = '/routers/default/index';
const serve = (t: Parameters<typeof startApp>[0]) => startApp(t, [{ id: 'default', graph: sharedGraph(feed.graph) }]);

test('areas of both forms have ids and boundaries', async (t) => {
  const app = await serve(t);
  t.deepEqual(await app.json(`${INDEX}/flexAreas`), ['1:old', '1:zona norte']);
  const area = await app.json(`${INDEX}/flexAreas/${encodeURIComponent('1:zona norte')}`);
  t.like(area, { areaId: '1:zona norte', polygon: { length: 4 } });
  t.deepEqual(Object.keys(area.polygon), ['points', 'length']);
});

test('trips show how they are booked', async (t) => {
  const app = await serve(t);
  t.like(await app.json(`${INDEX}/trips/1:dial`), {
    drtAvgTravelTime: '1.5*t',
    drtAdvanceBookMin: 45.5,
    continuousPickupMessage: 'Wave',
  });
  const plain = await app.json(`${INDEX}/trips/1:plain`);
  t.deepEqual([plain.drtAdvanceBookMin, 'drtAvgTravelTime' in plain], [0, false]);
});

test('calls show where between stops vehicles can be boarded', async (t) => {
  const app = await serve(t);
  const [first, second] = await app.json(`${INDEX}/trips/1:dial/stoptimes`);
  t.like(first, { continuousPickup: 0, continuousDropOff: 1, serviceAreaRadius: 400 });
  const { polygon } = await app.json(`${INDEX}/flexAreas/1:old`);
  t.is(first.serviceArea, polygon.points);
  t.like(second, { continuousPickup: 1, continuousDropOff: 1, serviceAreaRadius: 0 });
  t.false('serviceArea' in second);
});
