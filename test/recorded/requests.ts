/** The requests whose answers are recorded, by area of the interface. Times are those of the sample's timetable. */

/** A request. `{surface}` in its target is the last surface that was made. */
export interface RecordedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the mount, with the query. */
  readonly target: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ROUTER = '/routers/default';
const INDEX = `${ROUTER}/index`;
const START = '48.0056,15.0306';
const END = '48.0304,15.0714';
const WHEN = 'date=2026-11-23&time=08:00';
const TRIP = `fromPlace=${START}&toPlace=${END}&${WHEN}`;
const AROUND = `fromPlace=${START}&${WHEN}`;
const STOP = 'city:Bh4-3-30%2B';
const TILE = '14/8876/5694';

const get = (target: string): RecordedRequest => ({ method: 'GET', target });
const send = (method: RecordedRequest['method'], target: string, body: unknown): RecordedRequest => ({
  method,
  target,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});
const graphql = (query: string, variables: object = {}) => send('POST', `${INDEX}/graphql`, { query, variables });
const all = (prefix: string, ...rests: string[]) => rests.map((rest) => get(prefix + rest));

/** Requests by area; those of one area are sent in their order. */
export const AREAS: Readonly<Record<string, readonly RecordedRequest[]>> = {
  plan: [
    ...all(
      `${ROUTER}/plan?${TRIP}`,
      '',
      '&showIntermediateStops=true&numItineraries=1',
      '&arriveBy=true&optimize=TRANSFERS&numItineraries=1',
      '&maxWalkDistance=300&maxTransfers=0&numItineraries=1',
      '&wheelchair=true&numItineraries=1',
      '&mode=WALK',
      '&mode=BICYCLE&optimize=TRIANGLE&triangleSafetyFactor=0.5&triangleSlopeFactor=0.3&triangleTimeFactor=0.2',
      '&mode=CAR',
      '&mode=CAR_PARK,WALK,TRANSIT&numItineraries=1',
      '&mode=BICYCLE,TRANSIT&numItineraries=1',
      `&intermediatePlaces=48.02,15.05&numItineraries=1`,
      '&bannedRoutes=city__B25&numItineraries=1',
      '&maxHours=0.01',
      '&optimize=TRIANGLE',
      '&walkSpeed=fast',
    ),
    ...all(
      `${ROUTER}/plan`,
      '',
      '?fromPlace=0,0&toPlace=1,1&date=2026-11-23',
      `?fromPlace=${START}&toPlace=${START}&${WHEN}`,
      `?fromPlace=city:nowhere&toPlace=${END}&${WHEN}`,
      `?fromPlace=${START}&toPlace=${END}&date=2036-11-23&time=08:00`,
      `?fromPlace=${START}&toPlace=${END}&date=soon`,
    ),
    get(`/routers/none/plan?${TRIP}`),
  ],
  routers: [get('/'), ...all('/routers', '', '/default', '/default/serviceDays', '/default/buildReport', '/none')],
  index: all(
    INDEX,
    '/feeds',
    '/feeds/city',
    '/feeds/none',
    '/agencies/city',
    '/agencies/city/SV',
    '/agencies/region/RB/routes',
    '/agencies/region/RB/routes?detail=true',
    '/agencies/city/none',
    '/stops',
    '/stops?lat=48.0056&lon=15.0306&radius=400',
    '/stops?minLat=48.004&minLon=15.028&maxLat=48.01&maxLon=15.036',
    '/stops?lat=48',
    `/stops/${STOP}`,
    `/stops/${STOP}/routes`,
    `/stops/${STOP}/patterns`,
    `/stops/${STOP}/transfers`,
    `/stops/${STOP}/stoptimes?startTime=1795417200&numberOfDepartures=3`,
    `/stops/${STOP}/stoptimes?startTime=soon`,
    `/stops/${STOP}/stoptimes/20261123?omitNonPickups=true`,
    `/stops/${STOP}/stoptimes/2026-11-23`,
    '/stops/city:none',
    '/routes',
    `/routes?hasStop=${STOP}`,
    '/routes/city:B25',
    '/routes/city:B25/patterns',
    '/routes/city:B25/stops',
    '/routes/city:B25/trips',
    '/routes/city:none',
    '/patterns',
    '/patterns/city:B25:0:01',
    '/patterns/city:B25:0:01/trips',
    '/patterns/city:B25:0:01/stops',
    '/patterns/city:B25:0:01/semanticHash',
    '/patterns/city:B25:0:01/geometry',
    '/patterns/city:none:0:01',
    '/trips/city:B16.WEEKDAY.0.56280',
    '/trips/city:B16.WEEKDAY.0.56280/stops',
    '/trips/city:B16.WEEKDAY.0.56280/semanticHash',
    '/trips/city:B16.WEEKDAY.0.56280/stoptimes',
    '/trips/city:B16.WEEKDAY.0.56280/geometry',
    '/trips/city:none',
    '/clusters',
    '/clusters/C089',
    '/clusters/none',
    '/flexAreas',
    '/flexAreas/none',
    '/services',
    '/services/any',
  ),
  graphql: [
    graphql('{ agencies { id gtfsId name timezone routes { gtfsId shortName mode } } }'),
    graphql('query ($id: String!) { stop(id: $id) { name lat lon patterns { code headsign } } }', {
      id: 'city:Bh4-3-30+',
    }),
    graphql('{ stopsByRadius(lat: 48.0056, lon: 15.0306, radius: 400) { edges { node { distance stop { name } } } } }'),
    graphql('{ route(id: "city:B25") { longName stops { name } patterns { code trips { gtfsId } } } }'),
    graphql('{ trip(id: "city:B16.WEEKDAY.0.56280") { tripHeadsign stoptimes { scheduledDeparture stop { name } } } }'),
    graphql(
      `{ plan(fromPlace: "${START}", toPlace: "${END}", date: "2026-11-23", time: "08:00", numItineraries: 1) {
        itineraries { duration legs { mode startTime route { shortName } from { name stop { gtfsId } } } } } }`,
    ),
    graphql('{ __schema { queryType { fields { name } } } }'),
    graphql('{ nothing }'),
    graphql('{ stop(id: "x"'),
    get(`${INDEX}/graphql?query=${encodeURIComponent('{ agencies { gtfsId } }')}`),
  ],
  isochrone: [
    ...all(
      `${ROUTER}/isochrone?${AROUND}`,
      '&cutoffSec=600&cutoffSec=1500&maxWalkDistance=1000',
      '&cutoffSec=600&mode=WALK&precisionMeters=100',
      '&cutoffSec=600&format=shapefile',
      '&cutoffSec=soon',
    ),
    get(`${ROUTER}/isochrone?${WHEN}&cutoffSec=600`),
    ...all(
      `${ROUTER}/isochroneOld?${AROUND}&walkTime=8`,
      '&output=POINTS&mode=WALK',
      '&output=SHED&mode=WALK',
      '&output=EDGES&mode=WALK',
      '&output=NONE',
    ),
    get(`${ROUTER}/simpleIsochrone?${AROUND}&requestTimespanHours=1&nContours=2`),
    get(`${ROUTER}/simpleIsochrone?${AROUND}&requestTimespanHours=1&nContours=1&resultsProjected=true&crs=EPSG:32633`),
    get(`${ROUTER}/simpleIsochrone?${AROUND}&nContours=201`),
    get(`${ROUTER}/isochrone?${AROUND}${'&cutoffSec=60'.repeat(201)}`),
    ...all(`/isochrone?${AROUND}&cutoffSec=600&mode=WALK`, '&routerId=default', '&routerId=nowhere'),
  ],
  timegrid: [
    ...all(
      `${ROUTER}/timegrid?${AROUND}&maxTimeSec=1200`,
      '',
      '&zDataType=BOARDINGS',
      '&zDataType=WALK_DISTANCE&precisionMeters=100',
    ),
    get(`${ROUTER}/timegrid?${AROUND}`),
  ],
  surfaces: [
    get('/surfaces'),
    send('POST', `/surfaces?${AROUND}&cutoffMinutes=30`, ''),
    send('POST', `/surfaces?${AROUND}&cutoffMinutes=30&batch=true`, ''),
    ...all(
      '/surfaces/{surface}',
      '',
      '/indicator?targets=town',
      '/indicator?targets=town&detail=true',
      '/indicator?targets=none',
      '/isochrone?spacing=10&nMax=2',
      `/isotiles/${TILE}.png`,
      `/differencetiles/{surface}/${TILE}.png`,
      '/raster?width=64&height=64&format=image/png',
      '/raster?width=64&height=64',
    ),
    send('POST', `/surfaces?${AROUND}&cutoffMinutes=30&batch=true&window=10&percentiles=min,50,avg`, ''),
    send('POST', `/surfaces?${WHEN}&cutoffMinutes=20&batch=true`, [{ fromPlace: START }, { fromPlace: END }]),
    ...all('/surfaces', '/1', '/x'),
  ],
  profile: [
    ...all(
      `${ROUTER}/profile?date=2026-11-23&from=${START}`,
      `&to=${END}&startTime=07:30&endTime=08:30&limit=2`,
      `&to=${END}&startTime=07:30&endTime=08:30&accessModes=CAR_PARK&directModes=CAR&limit=1`,
      '&startTime=08:00&endTime=08:10&analyst=true',
      '',
    ),
    get(`${ROUTER}/profile`),
    get(`${ROUTER}/rrtr?from=${START}&banAgency=SV&date=2026-11-23`),
    get(`${ROUTER}/rrtr?from=${START}&banAgency=SV&date=2026-11-23&detail=true`),
  ],
  inspector: all(
    `${ROUTER}/inspector`,
    '/layers',
    '/layers?all=true',
    `/tile/bike-safety/${TILE}.png`,
    `/tile/traversal/${TILE}.jpeg`,
    `/tile/none/${TILE}.png`,
    `/tile/traversal/${TILE}.bmp`,
  ),
  analyst: [
    ...all('/analyst/legend', '.png', '.gif?styles=gray', '.bmp'),
    ...all(
      `${ROUTER}/analyst/tile/${TILE}.png?${AROUND}`,
      '&styles=color30&layers=traveltime',
      '&styles=nothing',
      `&layers=difference&styles=difference&fromPlace=${END}`,
    ),
    get(`${ROUTER}/analyst/tile/${TILE}.png`),
  ],
  pointsets: [
    ...all('/pointsets', '', '/town', '/none'),
    {
      method: 'POST',
      target: '/pointsets/jobs',
      body: 'id,lat,lon,jobs\na,48.0056,15.0306,4\nb,48.0304,15.0714,7\n',
      headers: { 'Content-Type': 'text/csv' },
    },
    get('/pointsets/jobs'),
    { method: 'DELETE', target: '/pointsets/jobs' },
    { method: 'DELETE', target: '/pointsets/jobs' },
  ],
  matrix: [
    send('POST', `${ROUTER}/matrix?${WHEN}&maxTimeSec=1800`, {
      origins: [START, END].map((place) => place.split(',').map(Number)),
      destinations: [END, START, '48.02,15.05', '0,0'].map((place) => place.split(',').map(Number)),
    }),
    send('POST', `${ROUTER}/matrix?${WHEN}`, { origins: [], destinations: [] }),
    send('POST', `${ROUTER}/matrix?${WHEN}`, '{'),
  ],
  geocode: [
    ...all(
      `${ROUTER}/geocode`,
      '?query=Feldgraben&places=true&clusters=true',
      '?query=Rath&autocomplete=true&corners=false',
      '',
    ),
    ...all('/geocode', '?address=Rathaus', ''),
    ...all('/municoder', '?location=48.02,15.05', '?location=48.02,15.05&callback=show', ''),
  ],
  'vector-tiles': all(
    `${ROUTER}/vectorTiles`,
    '/all/tilejson.json',
    '/stops,streets/tilejson.json',
    '/none/tilejson.json',
    '/style.json?theme=dark',
    `/stops,patterns,streets/${TILE}.pbf`,
    '/stops/99/0/0.pbf',
  ),
  live: [
    ...all(
      ROUTER,
      '/bike_rental',
      '/bike_rental?lowerLeft=x',
      '/updaters',
      '/updaters/status',
      '/updaters/0',
      '/vehicles',
    ),
    send('POST', '/patch/patch', {
      alertPatches: [
        { id: 'works', alert: { alertHeaderText: 'Works' }, feedId: 'city', stop: 'city:Bh4-3-30+', directionId: -1 },
      ],
    }),
    send('POST', '/patch/patch', { alertPatches: 1 }),
    get('/patch/stopPatches?agency=city&id=Bh4-3-30%2B'),
    get('/patch/routePatches?agency=city&id=B25'),
    get(`${ROUTER}/alerts`),
  ],
  scenarios: [
    get(`${ROUTER}/scenarios`),
    send('PUT', `${ROUTER}/scenarios/without-25`, {
      description: 'Without route 25',
      modifications: [{ type: 'remove-trip', routeId: 'city:B25' }],
    }),
    send('PUT', `${ROUTER}/scenarios/bad`, { modifications: [{ type: 'paint-bus' }] }),
    ...all(`${ROUTER}/scenarios`, '', '/without-25', '/none'),
    get(`${INDEX}/routes/city:B25`),
    get(`${ROUTER}/plan?${TRIP}&scenario=without-25&numItineraries=1`),
    get(`${ROUTER}/plan?${TRIP}&scenario=none`),
    { method: 'DELETE', target: `${ROUTER}/scenarios/without-25` },
    { method: 'DELETE', target: `${ROUTER}/scenarios/without-25` },
  ],
};
