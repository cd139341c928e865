import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { gate } from '../support/gate.js';
import { startApp } from '../support/test-app.js';

const PLACES = 'fromPlace=-30.03,-51.23&toPlace=-30.06,-51.18';

const words = (text: string) => text.trim().split(/\s+/);

const ITINERARY_MEMBERS = words(`
  duration startTime endTime walkTime transitTime waitingTime walkDistance walkLimitExceeded elevationLost
  elevationGained transfers fare legs tooSloped`);

const TRANSIT_LEG_MEMBERS = words(`
  startTime endTime departureDelay arrivalDelay realTime distance pathway mode route agencyName agencyUrl
  agencyTimeZoneOffset routeType routeId interlineWithPreviousLeg agencyId tripId serviceDate from to legGeometry
  routeShortName rentedBike callAndRide flexDrtAdvanceBookMin transitLeg duration steps`);

const PLACE_MEMBERS = words(`
  name stopId lon lat arrival departure stopIndex stopSequence vertexType boardAlightType`);

async function planner(t: Parameters<typeof startApp>[0], config = {}) {
  const graph = new FakeGraph();
  const app = await startApp(t, [{ id: 'poa', graph, config }]);
  return { graph, app };
}

test('a plan answers with the members of the interface in their order', async (t) => {
  const { app } = await planner(t);
  const response = await app.get(`/routers/poa/plan?${PLACES}&date=2019-05-13&time=9:00`);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'application/json');
  const answer: any = await response.json();
  t.deepEqual(Object.keys(answer), ['requestParameters', 'plan', 'debugOutput', 'elevationMetadata']);
  t.deepEqual(answer.requestParameters, {
    fromPlace: '-30.03,-51.23',
    toPlace: '-30.06,-51.18',
    date: '2019-05-13',
    time: '9:00',
  });
  t.deepEqual(answer.debugOutput, {
    precalculationTime: 12,
    pathCalculationTime: 30,
    pathTimes: [18],
    renderingTime: 2,
    totalTime: 44,
    timedOut: false,
  });
  const [itinerary] = answer.plan.itineraries;
  t.deepEqual(Object.keys(itinerary), ITINERARY_MEMBERS);
  t.is(itinerary.duration, 900);
  t.deepEqual(Object.keys(itinerary.legs[1]), TRANSIT_LEG_MEMBERS);
  t.deepEqual(Object.keys(itinerary.legs[1].from), PLACE_MEMBERS);
  t.deepEqual(itinerary.legs[0].steps, [
    {
      distance: 290,
      relativeDirection: 'DEPART',
      streetName: 'Rua A',
      absoluteDirection: 'NORTH',
      stayOn: false,
      area: false,
      bogusName: false,
      lon: -51.23,
      lat: -30.03,
      elevation: [
        { first: 0, second: 10 },
        { first: 20.5, second: 12.25 },
      ],
      alerts: [{ alertHeaderText: 'Unpaved surface' }],
    },
  ]);
});

test('ids keep their colons, absent values are left out', async (t) => {
  const { app } = await planner(t);
  const answer = await app.json(`/routers/poa/plan?${PLACES}`);
  const [walk, ride] = answer.plan.itineraries[0].legs;
  t.is(walk.to.stopId, '2:53:15');
  t.is(ride.routeId, '2:15');
  t.false('routeColor' in ride);
  t.false('alerts' in ride);
  t.deepEqual(ride.steps, []);
  t.is(walk.agencyName, undefined);
  t.is(walk.route, '');
});

test('money carries the symbol, the code and the decimals of its currency', async (t) => {
  const { app } = await planner(t);
  const answer = await app.json(`/routers/poa/plan?${PLACES}`);
  t.deepEqual(answer.plan.itineraries[0].fare.fare.regular, {
    currency: { symbol: 'R$', currency: 'BRL', defaultFractionDigits: 2, currencyCode: 'BRL' },
    cents: 470,
  });
});

test('an unknown router is an answer of plan, not a failure', async (t) => {
  const { app } = await planner(t);
  const response = await app.get(`/routers/nowhere/plan?${PLACES}`);
  t.is(response.status, 200);
  t.deepEqual(await response.json(), {
    requestParameters: { fromPlace: '-30.03,-51.23', toPlace: '-30.06,-51.18' },
    error: {
      id: 503,
      msg: "We're sorry. The trip planner is temporarily unavailable. Please try again later.",
      message: 'GRAPH_UNAVAILABLE',
      noPath: true,
      reason: "Graph id 'nowhere' not registered.",
    },
  });
});

test('plan sets its own walking limit and number of transfers', async (t) => {
  const { app, graph } = await planner(t);
  const asked: Array<[string, number]> = [
    ['', 2000],
    ['maxWalkDistance=700', 700],
    ['maxWalkDistance=0', 2000],
    ['maxWalkDistance=99999', 15_000],
  ];
  for (const [query, metres] of asked) {
    await app.get(`/routers/poa/plan?${PLACES}&maxTransfers=0&${query}`);
    t.is(graph.last.maxWalkDistance, metres, query);
    t.is(graph.last.maxTransfers, 4);
    t.is(graph.last.maxTransfersIfNoPath, 8);
  }
});

test('batch has no plan', async (t) => {
  const { app } = await planner(t);
  const answer = await app.json(`/routers/poa/plan?${PLACES}&batch=true`);
  t.is(answer.error.message, 'PATH_NOT_FOUND');
});

test('a router sets defaults, a query overrides them', async (t) => {
  const routingDefaults = { walkSpeed: 1.1, modes: 'WALK,BICYCLE', stairsReluctance: 3, bannedRoutes: ['2__9', '_8'] };
  const { app, graph } = await planner(t, { routingDefaults, timeouts: [1.5] });
  await app.get(`/routers/poa/plan?${PLACES}`);
  t.like(graph.last, { walkSpeed: 1.1, modes: ['WALK', 'BICYCLE'], stairsReluctance: 3, timeouts: [1.5] });
  t.deepEqual(graph.last.bannedRoutes, [
    { feed: '2', name: '', routeId: '9' },
    { feed: '', name: '8', routeId: '' },
  ]);
  await app.get(`/routers/poa/plan?${PLACES}&walkSpeed=2&mode=CAR&bannedRoutes=_7`);
  t.like(graph.last, { walkSpeed: 2, modes: ['CAR'], stairsReluctance: 3 });
  t.is(graph.last.bannedRoutes?.length, 1);
});

test('parameters of any name are echoed', async (t) => {
  const { app } = await planner(t);
  const answer = await app.json(`/routers/poa/plan?${PLACES}&__proto__=x&constructor=y&a%20b=1&a%20b=2&empty=`);
  t.deepEqual(Object.entries(answer.requestParameters).slice(2), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['a b', '1'],
    ['empty', ''],
  ]);
});

test('a failing search is 500 without a stack, a full queue 503', async (t) => {
  const broken = new FakeGraph({}, () => {
    throw new Error('a secret');
  });
  const busy = new FakeGraph({}, () => {
    throw Object.assign(new Error('too many searches are waiting'), { code: 'BUSY' });
  });
  const app = await startApp(t, [
    { id: 'broken', graph: broken },
    { id: 'busy', graph: busy },
  ]);
  const failed = await app.get(`/routers/broken/plan?${PLACES}`);
  t.is(failed.status, 500);
  t.false((await failed.text()).includes('secret'));
  const refused = await app.get(`/routers/busy/plan?${PLACES}`);
  t.is(refused.status, 503);
  t.is(refused.headers.get('retry-after'), '1');
});

test('a search stops when its client leaves', async (t) => {
  const [begun, aborted] = [gate(), gate()];
  const endless = new FakeGraph({}, (_, signal) => {
    begun.open();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        aborted.open();
        reject(Object.assign(new Error('aborted'), { code: 'ABORTED' }));
      });
    });
  });
  const app = await startApp(t, [{ id: 'poa', graph: endless }]);
  const client = new AbortController();
  const answer = fetch(`${app.base}/routers/poa/plan?${PLACES}`, { signal: client.signal });
  await begun.promise;
  client.abort();
  await t.throwsAsync(answer, { any: true, name: 'AbortError' });
  await aborted.promise;
  t.pass();
});
