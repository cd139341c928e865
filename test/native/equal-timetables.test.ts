/**
 * The same timetable written in two ways has the same plans and travel times: with times of other zones, with nights that
 * belong to the day before or after, and with each run of a frequency as a trip of its own. So has one with live data. In
 * a town where time runs backwards, trips that arrive by a time are those that depart at it.
 */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { PbfWriter } from 'pbf';
import type { Graph, PlanOutcome, PlanRequest } from '../../src/native/types.js';
import { type BuiltGraph, buildGraph } from '../support/built-graph.js';
import { zip } from '../support/zip.js';

const DAY = 86_400;
/** Midnight of the first service day. No zone below changes its clocks in this month. */
const FIRST = Date.UTC(2024, 5, 1) / 1000;
/** Seconds that clocks are ahead of UTC. */
const ZONES = {
  UTC: 0,
  'Europe/Lisbon': 3600,
  'America/New_York': -14_400,
  'Asia/Kolkata': 19_800,
  'Pacific/Auckland': 43_200,
} as const;
type Zone = keyof typeof ZONES;

/** Stops at crossings. */
const STOPS = Array.from({ length: 8 }, (_, i) => ({ lat: 41 + (i % 4) * 0.01, lon: -8 + Math.floor(i / 4) * 0.01 }));

interface Trip {
  readonly id: string;
  /** Stop, arrival and departure, in UTC. */
  readonly calls: ReadonlyArray<readonly [stop: number, arrival: number, departure: number]>;
  /** Days after the first. */
  readonly dates: readonly number[];
  /** Seconds between its runs, and their number. */
  readonly every?: { readonly headway: number; readonly count: number };
}

/** How one of two feeds is written. */
interface Form {
  readonly zone: Zone;
  /** Whether a trip is written as one of the day before (1) or after (-1). */
  shift(trip: Trip): number;
  /** Whether frequencies are written as trips. */
  readonly expands: boolean;
}

/** A reproducible sequence (Knuth's MMIX constants). */
function dice(seed: number) {
  let state = BigInt(seed);
  const below = (limit: number) => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(state >> 33n) % limit;
  };
  return { below, of: <T>(choices: readonly T[]) => choices[below(choices.length)] as T };
}
type Dice = ReturnType<typeof dice>;

function randomTrip(id: string, { below, of }: Dice, byFrequency: boolean): Trip {
  let time = of([0, 1, 3, 7, 8, 16, 22, 23, 24, 25]) * 3600 + below(60) * 60;
  const stop = below(STOPS.length);
  const calls = Array.from({ length: 2 + below(3) }, (_, i) => {
    const call = [(stop + i * 3) % STOPS.length, time, time + of([0, 60])] as const;
    time = call[2] + 300 + below(1800);
    return call;
  });
  const every = byFrequency ? { headway: of([600, 900, 1234]), count: 2 + below(12) } : undefined;
  return { id, calls, dates: Array.from({ length: 14 }, (_, i) => i).filter(() => below(4) > 0), every };
}

/** The trip as one for each of its runs. */
function runs(trip: Trip): Trip[] {
  return Array.from({ length: trip.every?.count ?? 1 }, (_, run) => {
    const later = run * (trip.every?.headway ?? 0);
    const calls = trip.calls.map(([stop, arrival, departure]) => [stop, arrival + later, departure + later] as const);
    return { ...trip, id: `${trip.id}~${run}`, calls, every: undefined };
  });
}

const clock = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((n) => `${n}`.padStart(2, '0'))
    .join(':');
const date = (day: number) => new Date((FIRST + day * DAY) * 1000).toISOString().slice(0, 10).replaceAll('-', '');

/** Days and seconds to add to those of a trip in UTC, so that no time is before midnight. */
function written(trip: Trip, form: Form): [days: number, seconds: number] {
  const seconds = ZONES[form.zone] + form.shift(trip) * DAY;
  const first = trip.calls[0]?.[1] ?? 0;
  const days = Math.max(0, Math.ceil(-(first + seconds) / DAY));
  return [-form.shift(trip) - days, seconds + days * DAY];
}

function feed(number: number, trips: readonly Trip[], form: Form): Promise<Buffer> {
  const all = form.expands ? trips.flatMap(runs) : trips;
  const rows = (line: (trip: Trip, days: number, seconds: number) => string[]) =>
    all.flatMap((trip) => line(trip, ...written(trip, form))).join('\n');
  const stops = STOPS.map(({ lat, lon }, i) => `s${i},S${i},${lat + number * 0.0004},${lon}`).join('\n');
  return zip({
    'feed_info.txt': `feed_publisher_name,feed_publisher_url,feed_lang,feed_id\nP,http://p.example,en,F${number}`,
    'agency.txt': `agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.example,${form.zone}`,
    'routes.txt': `route_id,agency_id,route_short_name,route_type\nR,A,${number},3`,
    'stops.txt': `stop_id,stop_name,stop_lat,stop_lon\n${stops}`,
    'trips.txt': `route_id,service_id,trip_id\n${rows(({ id }) => [`R,${id},${id}`])}`,
    'calendar_dates.txt': `service_id,date,exception_type\n${rows(({ id, dates }, days) =>
      dates.map((day) => `${id},${date(day + days)},1`),
    )}`,
    'stop_times.txt': `trip_id,stop_sequence,stop_id,arrival_time,departure_time\n${rows(({ id, calls }, _, later) =>
      calls.map(
        ([stop, arrival, departure], i) => `${id},${i},s${stop},${clock(arrival + later)},${clock(departure + later)}`,
      ),
    )}`,
    'frequencies.txt': `trip_id,start_time,end_time,headway_secs,exact_times\n${rows(
      ({ id, calls, every }, _, later) => {
        if (every === undefined) return [];
        const start = (calls[0]?.[2] ?? 0) + later;
        return [`${id},${clock(start)},${clock(start + every.headway * every.count)},${every.headway},1`];
      },
    )}`,
  });
}

/** The delays of a run of a trip on a day, or that it is cancelled. */
interface Update {
  readonly trip: Trip;
  readonly run: number;
  readonly day: number;
  /** By call; none for a run that is cancelled. */
  readonly delays: ReadonlyArray<number | undefined>;
}

function randomUpdates(trips: readonly Trip[], { below }: Dice): Update[] {
  return trips.flatMap((trip) =>
    trip.dates.flatMap((day) =>
      Array.from({ length: trip.every?.count ?? 1 }, (_, run) => {
        let late = 0;
        const delayed = (call: number) => {
          if (call > 0 && below(2) === 0) return undefined;
          late += below(1800);
          return late;
        };
        const delays = below(5) === 0 ? [] : trip.calls.map((_, call) => delayed(call));
        return { trip, run, day, delays };
      }).filter(() => below(2) === 0),
    ),
  );
}

function message(updates: readonly Update[], form: Form): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeMessage(1, (_, header) => header.writeStringField(1, '2.0'), null);
  for (const [i, { trip, run, day, delays }] of updates.entries()) {
    const [days, seconds] = written(trip, form);
    const start = (trip.calls[0]?.[2] ?? 0) + seconds + run * (trip.every?.headway ?? 0);
    const descriptor = (_: unknown, to: PbfWriter) => {
      to.writeStringField(1, form.expands ? `${trip.id}~${run}` : trip.id);
      if (!form.expands && trip.every !== undefined) to.writeStringField(2, clock(start));
      to.writeStringField(3, date(day + days));
      if (delays.length === 0) to.writeVarintField(4, 3);
    };
    const update = (_: unknown, to: PbfWriter) => {
      to.writeMessage(1, descriptor, null);
      for (const [call, delay] of delays.entries()) {
        if (delay === undefined) continue;
        const event = (_: unknown, inner: PbfWriter) => inner.writeVarintField(1, delay);
        const time = (_: unknown, inner: PbfWriter) => {
          inner.writeVarintField(1, call);
          inner.writeMessage(2, event, null);
          inner.writeMessage(3, event, null);
        };
        to.writeMessage(2, time, null);
      }
    };
    const entity = (_: unknown, to: PbfWriter) => {
      to.writeStringField(1, `${i}`);
      to.writeMessage(3, update, null);
    };
    pbf.writeMessage(2, entity, null);
  }
  return pbf.finish();
}

/** A graph of feeds in these forms, with streets in a grid, as a few streets alone would be an island. */
function build(feeds: ReadonlyArray<readonly Trip[]>, forms: readonly Form[]): Promise<BuiltGraph> {
  const side = [0, 1, 2, 3, 4, 5, 6, 7];
  const id = (row: number, column: number) => 10 * row + column + 1;
  const nodes = side.flatMap((row) =>
    side.map((column) => `<node id="${id(row, column)}" lat="${41 + row * 0.005}" lon="${-8 + column * 0.005}"/>`),
  );
  const streets = side.flatMap((i) => [side.map((k) => id(i, k)), side.map((k) => id(k, i))]);
  const ways = streets.map((street, i) => {
    const places = street.map((node) => `<nd ref="${node}"/>`).join('');
    return `<way id="${i + 1}">${places}<tag k="highway" v="residential"/></way>`;
  });
  return buildGraph(async (directory) => {
    await writeFile(path.join(directory, 'map.osm'), `<osm>${nodes.join('')}${ways.join('')}</osm>`);
    for (const [i, trips] of feeds.entries()) {
      await writeFile(path.join(directory, `f${i}.zip`), await feed(i, trips, forms[i] as Form));
    }
  });
}

/** The rides of an answer with their times, without the numbers of runs. */
function rides({ plan }: PlanOutcome): string {
  const legs = plan?.itineraries.flatMap((itinerary) => itinerary.legs) ?? [];
  return legs
    .map((leg) => `${leg.transit?.tripId.replace(/~\d+$/, '') ?? leg.mode} ${leg.startTime} ${leg.endTime}`)
    .join();
}

const stay = () => 0;
const PAIRS: ReadonlyArray<readonly [name: string, one: Form[], other: Form[], byFrequency: boolean]> = [
  [
    'times of other zones',
    [
      { zone: 'America/New_York', shift: stay, expands: true },
      { zone: 'Asia/Kolkata', shift: stay, expands: true },
      { zone: 'Pacific/Auckland', shift: stay, expands: true },
    ],
    Array(3).fill({ zone: 'UTC', shift: stay, expands: true }),
    false,
  ],
  [
    'nights of another day',
    Array(2).fill({ zone: 'Europe/Lisbon', shift: stay, expands: true }),
    Array(2).fill({
      zone: 'Europe/Lisbon',
      shift: ({ calls }: Trip) => ((calls[0]?.[1] ?? 0) < 6 * 3600 ? 1 : (calls[0]?.[1] ?? 0) >= DAY ? -1 : 0),
      expands: true,
    }),
    false,
  ],
  [
    'runs of frequencies',
    Array(2).fill({ zone: 'UTC', shift: stay, expands: false }),
    Array(2).fill({ zone: 'UTC', shift: stay, expands: true }),
    true,
  ],
];

for (const [name, one, other, byFrequency] of PAIRS) {
  test(`${name} change no plan and no travel time`, async (t) => {
    let found = 0;
    for (let seed = 1; seed <= 3; seed += 1) {
      const random = dice(seed);
      const feeds = one.map(() => Array.from({ length: 20 }, (_, i) => randomTrip(`t${i}`, random, byFrequency)));
      const graphs = [await build(feeds, one), await build(feeds, other)] as const;
      for (const [i, trips] of feeds.entries()) {
        const updates = randomUpdates(trips, random);
        for (const [k, forms] of [one, other].entries()) {
          const options = { feedId: `F${i}`, now: FIRST + 7 * DAY, purgeExpiredData: false };
          const report = await graphs[k]?.graph.applyTripUpdates(message(updates, forms[i] as Form), options);
          t.like(report, { received: updates.length, rejected: 0 });
        }
      }
      for (let question = 0; question < 60; question += 1) {
        const from = random.below(STOPS.length);
        const place = (stop: number) => ({ ...(STOPS[stop] as { lat: number; lon: number }) });
        const request: PlanRequest = {
          from: place(from),
          to: place((from + 1 + random.below(STOPS.length - 1)) % STOPS.length),
          epochSeconds: FIRST + DAY + random.below(12 * DAY),
          arriveBy: random.below(2) === 0,
          numItineraries: 1,
          maxWalkDistance: random.of([600, 2500]),
        };
        // Searches see some days only, and which ones depends on how the days are written.
        const near = ({ plan }: PlanOutcome) =>
          plan?.itineraries[0]?.legs.every((leg) => Math.abs(leg.startTime - request.epochSeconds) < 20 * 3600) ??
          false;
        const [a, b] = [await graphs[0].graph.plan(request), await graphs[1].graph.plan(request)];
        if (!near(a) && !near(b)) continue;
        found += 1;
        t.is(rides(a), rides(b), `seed ${seed}: ${JSON.stringify(request)}`);
        const places = Float64Array.from(STOPS.flatMap(({ lat, lon }) => [lat, lon]));
        const table = { origins: places.slice(0, 2), destinations: places, maxSeconds: 20_000 };
        const ahead = { ...request, arriveBy: false };
        t.deepEqual(await graphs[0].graph.matrix(ahead, table), await graphs[1].graph.matrix(ahead, table));
      }
      for (const graph of graphs) await graph.remove();
    }
    t.true(found > 50, `${found} plans compared`);
  });
}

/** Trips run on days 0 to 13, and end before the second midnight of their day. */
const [LAST_DAY, LONGEST] = [13, 2 * DAY];
const mirroredTime = (epoch: number) => 2 * FIRST + LAST_DAY * DAY + LONGEST - epoch;

/** The trip as it runs where time runs backwards. */
function mirrored(trip: Trip): Trip {
  const calls = trip.calls.map(([stop, arrival, departure]) => [stop, LONGEST - departure, LONGEST - arrival] as const);
  return { ...trip, calls: calls.reverse(), dates: trip.dates.map((day) => LAST_DAY - day) };
}

/** The rides and both ends of an answer; riders walk as soon as they alight, which is not the same backwards. */
function outline({ plan, error }: PlanOutcome, isMirrored: boolean): string {
  const [itinerary] = plan?.itineraries ?? [];
  if (itinerary === undefined) return error?.code ?? '';
  const rides = itinerary.legs.filter(({ transit }) => transit !== undefined);
  const spans = [itinerary, ...(isMirrored ? rides.reverse() : rides)].map(({ startTime, endTime }) =>
    isMirrored ? [mirroredTime(endTime), mirroredTime(startTime)] : [startTime, endTime],
  );
  return `${spans} ${rides.map(({ transit }) => transit?.tripId)}`;
}

/** Seconds to all stops by a surface and by those of a window of half an hour. */
async function secondsToStops(
  graph: Graph,
  request: Parameters<Graph['surface']>[0],
  places: Float64Array,
): Promise<number[][]> {
  const window = { cutoffSeconds: 9000, windowSeconds: 1801, stepSeconds: 600, statistics: ['min', 'avg', 'max'] };
  const start = request.epochSeconds - (request.arriveBy ? 1800 : 0);
  const surfaces = [
    await graph.surface(request, { cutoffSeconds: 9000 }),
    ...(await graph.windowSurfaces({ ...request, epochSeconds: start }, window)),
  ];
  return Promise.all(
    surfaces.map(async (surface) => {
      const seconds = [...(await surface.timesTo(await surface.linkPoints(places), 1.33))];
      surface.dispose();
      return seconds;
    }),
  );
}

test('trips that arrive by a time are those that depart at it where time runs backwards', async (t) => {
  const random = dice(7);
  const { below, of } = random;
  const feeds = [0, 1].map(() => Array.from({ length: 150 }, (_, i) => randomTrip(`t${i}`, random, false)));
  const form: Form = { zone: 'UTC', shift: stay, expands: false };
  const [there, back] = [
    await build(feeds, [form, form]),
    await build(
      feeds.map((f) => f.map(mirrored)),
      [form, form],
    ),
  ];
  let rode = 0;
  const place = () => ({ lat: 41 + below(350) * 1e-4, lon: -8 + below(350) * 1e-4 });
  for (let question = 0; question < 60; question += 1) {
    const [from, to, epochSeconds] = [place(), place(), FIRST + DAY + below(12 * DAY)];
    const options = {
      modes: [...of([['TRANSIT', 'WALK'] as const, ['TRANSIT', 'WALK'] as const, ['TRANSIT', 'BICYCLE'] as const])],
      maxWalkDistance: of([600, 2500]),
      transferSlack: of([0, 300]),
      waitAtBeginningFactor: of([0.4, 1]),
      walkSpeed: of([0.7, 1.33]),
      walkReluctance: of([5, 10]),
      numItineraries: 1,
      clampInitialWait: of([-1, 0, 600]),
    };
    const ahead = { ...options, from, epochSeconds };
    const behind = { ...options, to: from, epochSeconds: mirroredTime(epochSeconds), arriveBy: true as const };
    const [a, b] = [await there.graph.plan({ ...ahead, to }), await back.graph.plan({ ...behind, from: to })];
    rode += a.plan?.itineraries[0]?.legs.some(({ transit }) => transit !== undefined) ? 1 : 0;
    t.is(outline(a, false), outline(b, true), JSON.stringify({ ...ahead, to }));
    if (question % 6 > 0) continue;
    const places = Float64Array.from(STOPS.flatMap(({ lat, lon }) => [lat, lon]));
    t.deepEqual(await secondsToStops(there.graph, ahead, places), await secondsToStops(back.graph, behind, places));
  }
  t.true(rode > 12, `${rode} trips with a ride`);
  for (const graph of [there, back]) await graph.remove();
});

const CIRCLES = {
  spacingSeconds: 600,
  timespanSeconds: 3600,
  stopsOnly: true,
  radiusM: 3000,
  contours: 2,
  contourSpacingSeconds: 1800,
  decimals: 5,
};

/** A trip of its own for each day, with the times that an update of that day gives it; none where it is cancelled. */
function asUpdated(trips: readonly Trip[], updates: readonly Update[]): Trip[] {
  return trips.flatMap((trip) =>
    trip.dates.flatMap((day) => {
      const own = { ...trip, id: `${trip.id}~${day}`, dates: [day] };
      const update = updates.find((each) => each.trip === trip && each.day === day);
      if (update === undefined) return [own];
      let late = 0;
      const calls = trip.calls.map(([stop, arrival, departure], call) => {
        late = update.delays[call] ?? late;
        return [stop, arrival + late, departure + late] as const;
      });
      return update.delays.length === 0 ? [] : [{ ...own, calls }];
    }),
  );
}

test('analyses with live data are those of a timetable with the same changes', async (t) => {
  const random = dice(11);
  const { below, of } = random;
  const form: Form = { zone: 'UTC', shift: stay, expands: false };
  const trips = Array.from({ length: 40 }, (_, i) => randomTrip(`t${i}`, random, false));
  // A day without updates keeps the pattern of each trip, on which the transfers of a graph depend.
  const updates = randomUpdates(trips, random).filter(({ trip, day }) => day !== trip.dates[0]);
  const live = await build([trips], [form]);
  const rebuilt = await build([asUpdated(trips, updates)], [form]);
  const scheduled = await build([trips], [form]);
  const options = { feedId: 'F0', now: FIRST + 7 * DAY, purgeExpiredData: false };
  await live.graph.applyTripUpdates(message(updates, form), options);
  const area = { maxSeconds: 5400, precisionM: 200, offRoadM: 150 };
  const places = Float64Array.from(STOPS.flatMap(({ lat, lon }) => [lat, lon]));
  const place = () => ({ lat: 41 + below(350) * 1e-4, lon: -8 + below(350) * 1e-4 });
  let changed = 0;
  for (let question = 0; question < 12; question += 1) {
    const trip = of(trips);
    const [called, arriveBy] = [of(trip.calls), below(2) === 0];
    const at = {
      modes: [...of([['TRANSIT', 'WALK'] as const, ['TRANSIT', 'BICYCLE'] as const])],
      epochSeconds: FIRST + of(trip.dates) * DAY + called[1] + (arriveBy ? 1800 : -1800),
      maxWalkDistance: of([600, 2500]),
      clampInitialWait: of([-1, 0, 600]),
    };
    const reach = arriveBy ? { ...at, to: place(), arriveBy } : { ...at, from: place() };
    const from = place();
    const fromEpoch = at.epochSeconds;
    const answers = async (graph: Graph) => [
      ...(await secondsToStops(graph, reach, places)),
      (await graph.timeGrid(reach, { area, value: 'BOARDINGS', created: '' })).png.toString('base64'),
      (await graph.isochrone(reach, { area, cutoffs: [1800, 3600], decimals: 6 })).map(({ json }) => String(json)),
      [...(await graph.matrix(at, { origins: places, destinations: places, maxSeconds: 9000 }))],
      await graph
        .circleIsochrone({ ...at, from }, CIRCLES)
        .then(({ contours }) => contours.map(({ json }) => String(json))),
    ];
    const found = await answers(live.graph);
    t.deepEqual(found, await answers(rebuilt.graph), JSON.stringify(reach));
    changed += JSON.stringify(found) === JSON.stringify(await answers(scheduled.graph)) ? 0 : 1;
    // Profiles know no live data.
    const profile = { from, to: place(), fromEpoch, toEpoch: fromEpoch + 3600 };
    t.deepEqual(await live.graph.profile(profile), await scheduled.graph.profile(profile));
  }
  t.true(changed > 5, `${changed} answers are other ones than those of the schedule`);
  for (const graph of [live, rebuilt, scheduled]) await graph.remove();
});
