import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

const MEMBERS =
  'routerId polygon buildTime transitServiceStarts transitServiceEnds transitModes centerLatitude centerLongitude ' +
  'hasParkRide travelOptions lowerLeftLongitude lowerLeftLatitude upperRightLongitude upperRightLatitude ' +
  'hasBikeSharing hasBikePark';

test('a router describes its graph', async (t) => {
  const app = await startApp(t, [{ id: 'poa', graph: new FakeGraph() }]);
  const router: any = await app.json('/routers/poa');
  t.is(Object.keys(router).join(' '), MEMBERS);
  t.is(router.routerId, 'poa');
  t.deepEqual(router.polygon, {
    type: 'Polygon',
    coordinates: [
      [
        [-51.3, -30.2],
        [-51.1, -30.2],
        [-51.1, -30],
        [-51.3, -30.2],
      ],
    ],
  });
  t.deepEqual(
    router.travelOptions.map((option: any) => `${option.value}=${option.name}`),
    [
      'TRANSIT,WALK=TRANSIT',
      'BUS,WALK=BUS',
      'RAIL,WALK=RAIL',
      'WALK=WALK',
      'BICYCLE=BICYCLE',
      'CAR=CAR',
      'TRANSIT,BICYCLE=TRANSIT_BICYCLE',
      'CAR_PARK,WALK,TRANSIT=PARKRIDE',
      'CAR,WALK,TRANSIT=KISSRIDE',
    ],
  );
});

test('a router with bikes and without transit', async (t) => {
  const facts = {
    transitModes: [],
    transitServiceStarts: undefined,
    transitServiceEnds: undefined,
    hasBikeSharing: true,
  };
  const app = await startApp(t, [{ id: 'poa', graph: new FakeGraph({ ...facts, polygon: [1, 2] }) }]);
  const router: any = await app.json('/routers/poa');
  t.true(BigInt(router.transitServiceStarts) < 2n ** 63n);
  t.true(router.transitServiceStarts > 9.2e18);
  t.is(router.transitServiceEnds, 0);
  t.deepEqual(router.polygon, { type: 'Point', coordinates: [1, 2] });
  t.deepEqual(
    router.travelOptions.map((option: any) => option.name),
    ['WALK', 'BICYCLE', 'CAR', 'BICYCLERENT'],
  );
});

test('the default router answers under the name it was called by', async (t) => {
  const app = await startApp(t, [
    { id: 'poa', graph: new FakeGraph() },
    { id: 'pdx', graph: new FakeGraph({ centerLatitude: 45 }) },
  ]);
  for (const name of ['default', 'DEFAULT']) {
    const router: any = await app.json(`/routers/${name}`);
    t.is(router.routerId, name);
    t.is(router.centerLatitude, -30.1);
  }
  const { routerInfo }: any = await app.json('/routers');
  t.deepEqual(
    routerInfo.map((router: any) => router.routerId),
    ['poa', 'pdx'],
  );
});

test('an unknown router is 404 in plain text, whatever is accepted', async (t) => {
  const app = await startApp(t, []);
  for (const accept of ['*/*', 'application/xml']) {
    const response = await app.get('/routers/nowhere', { accept });
    t.is(response.status, 404);
    t.is(response.headers.get('content-type'), 'text/plain');
    t.is(await response.text(), "Graph id 'nowhere' not registered.\n");
  }
  t.deepEqual(await app.json('/routers'), { routerInfo: [] });
});

test('routers in XML: coordinates without a wrapper', async (t) => {
  const app = await startApp(t, [{ id: 'poa', graph: new FakeGraph() }]);
  const text = await (await app.get('/routers', { accept: 'application/xml' })).text();
  t.true(
    text.startsWith(
      '<RouterList><routerInfo><routerInfo><routerId>poa</routerId><polygon><type>Polygon</type>' +
        '<coordinates>-51.3</coordinates><coordinates>-30.2</coordinates>',
    ),
  );
  t.regex(text, /<transitModes><transitModes>BUS<\/transitModes><transitModes>RAIL<\/transitModes><\/transitModes>/);
  t.regex(text, /<centerLongitude>-51\.0<\/centerLongitude>/);
});

test('the server describes itself', async (t) => {
  const app = await startApp(t, []);
  const server: any = await app.json('/');
  t.deepEqual(Object.keys(server), ['serverVersion', 'cpuName', 'nCores']);
  const { version, major, minor, incremental, uid } = server.serverVersion;
  t.is(version.split('-')[0], `${major}.${minor}.${incremental}`);
  t.is(Math.abs(uid), 1_000_000 * major + 1000 * minor + incremental);
  t.true(server.nCores > 0);
  const text = await (await app.get('/', { accept: 'text/xml' })).text();
  t.regex(text, /^<ServerInfo><serverVersion><version>/);
});
