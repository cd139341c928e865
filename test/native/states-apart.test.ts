/**
 * Nothing that a graph keeps from one search to the next may come from another scenario or another state of the rental
 * stations. The expected answers come from graphs that were opened for a single query.
 */

import test from 'ava';
import { Random } from '../../src/bench/random.js';
import { loadAddon } from '../../src/native/addon.js';
import type { Graph, PlanRequest, ScenarioModification } from '../../src/native/types.js';
import { readScenario } from '../../src/scenarios/scenario.js';
import { builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

const town = builtBefore(test, buildSampleTown);

/** A Monday at eight, in the town's time zone. */
const MONDAY = Date.parse('2026-11-23T07:00:00Z') / 1000;

/** A place by its shares of the town's height and width. */
function at(north: number, east: number) {
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = town.graph.info();
  return {
    lat: lowerLeftLatitude + (upperRightLatitude - lowerLeftLatitude) * north,
    lon: lowerLeftLongitude + (upperRightLongitude - lowerLeftLongitude) * east,
  };
}

/** A tram across the town, between two stops of its own. */
function tram(from: number, to: number): ScenarioModification[] {
  const stops = [from, to].map((share) => ({ ...at(share, 0.5), name: `Stop ${share}` }));
  const timetables = [{ headway: 120, startTime: '6:00', endTime: '12:00', hopTimes: [60] }];
  const modifications = [{ type: 'add-trip-pattern', name: 'T', routeType: 0, stops, timetables }];
  return readScenario(JSON.stringify({ modifications })).modifications.map(({ native }) => native);
}

const VARIANTS: Readonly<Record<string, () => ScenarioModification[] | undefined>> = {
  base: () => undefined,
  tram: () => tram(0.2, 0.8),
  otherTram: () => tram(0.3, 0.6),
};

const station = (id: string, place: { lat: number; lon: number }) => ({
  id,
  name: id,
  ...place,
  bikesAvailable: 5,
  spacesAvailable: 5,
  allowDropoff: true,
  networks: [],
});

const STATIONS = {
  none: () => [],
  few: () => [station('a', at(0.2, 0.53)), station('b', at(0.8, 0.47))],
  many: () => [0.2, 0.35, 0.5, 0.65, 0.8].flatMap((n) => [0.3, 0.5, 0.7].map((e) => station(`${n}/${e}`, at(n, e)))),
};

const SHARES = [0.2, 0.4, 0.6, 0.8];
const flat = (east: number) => Float64Array.from(SHARES.flatMap((north) => Object.values(at(north, east))));

function request(extra: Partial<PlanRequest> = {}): PlanRequest {
  return { from: at(0.2, 0.5), to: at(0.8, 0.5), epochSeconds: MONDAY, maxWalkDistance: 800, ...extra };
}

const RENTED: Partial<PlanRequest> = { modes: ['TRANSIT', 'WALK', 'BICYCLE'], bikeRental: true };
const AREA = { maxSeconds: 1800, precisionM: 150, offRoadM: 150 };

async function matrix(graph: Graph, extra: Partial<PlanRequest>) {
  const ends = { origins: flat(0.5), destinations: flat(0.45), maxSeconds: 7200 };
  return [...(await graph.matrix(request(extra), ends))];
}

const QUESTIONS: Readonly<Record<string, (graph: Graph) => Promise<unknown>>> = {
  matrix: (graph) => matrix(graph, {}),
  rentedMatrix: (graph) => matrix(graph, RENTED),
  plan: async (graph) => {
    const { plan } = await graph.plan(request());
    return plan?.itineraries.map(({ startTime, endTime, legs }) => [startTime, endTime, legs.length]);
  },
  rentedPlan: async (graph) => {
    const { plan } = await graph.plan(request({ modes: ['WALK', 'BICYCLE'], bikeRental: true }));
    return plan?.itineraries.map(({ startTime, endTime, legs }) => [startTime, endTime, legs.length]);
  },
  surface: async (graph) => {
    const surface = await graph.surface(request(RENTED), { cutoffSeconds: 3600 });
    return [...(await surface.timesTo(await surface.linkPoints(flat(0.55)), 1.3))];
  },
  window: async (graph) => {
    const options = { cutoffSeconds: 3600, windowSeconds: 1200, statistics: ['min', 'max'] };
    const surfaces = await graph.windowSurfaces(request(), options);
    const times = surfaces.map(async (surface) => [
      ...(await surface.timesTo(await surface.linkPoints(flat(0.55)), 1.3)),
    ]);
    return Promise.all(times);
  },
  isochrone: (graph) => graph.isochrone(request(), { area: AREA, cutoffs: [600, 1200], decimals: 5 }),
  timeGrid: async (graph) => (await graph.timeGrid(request(RENTED), { area: AREA, value: 'TIME', created: '' })).png,
  walkshed: (graph) => graph.walkshed(request(), { seconds: 900, form: 'POINTS' }),
  circles: (graph) =>
    graph.circleIsochrone(request(), {
      spacingSeconds: 1800,
      timespanSeconds: 7200,
      stopsOnly: true,
      radiusM: 600,
      contours: 2,
      contourSpacingSeconds: 900,
      decimals: 5,
    }),
  profile: (graph) =>
    graph.profile({ from: at(0.2, 0.5), to: at(0.8, 0.5), fromEpoch: MONDAY, toEpoch: MONDAY + 1200 }),
  geocode: (graph) =>
    graph.geocode({ text: 'stop', autocomplete: true, stops: true, corners: true, clusters: false, places: false }),
};

type Question = readonly [variant: string, stations: keyof typeof STATIONS, kind: string];

const ALL: readonly Question[] = Object.keys(VARIANTS).flatMap((variant) =>
  (Object.keys(STATIONS) as Array<keyof typeof STATIONS>).flatMap((stations) =>
    Object.keys(QUESTIONS).map((kind) => [variant, stations, kind] as const),
  ),
);

/** Makes one query of a graph in some state. */
class Asked {
  readonly #variants = new Map<string, Promise<Graph>>();

  constructor(private readonly graph: Graph) {}

  async ask([variant, stations, kind]: Question): Promise<unknown> {
    await this.graph.setRentalStations(STATIONS[stations]());
    const modifications = VARIANTS[variant]?.();
    let graph = this.#variants.get(variant);
    graph ??= modifications === undefined ? Promise.resolve(this.graph) : this.graph.withScenario(modifications);
    this.#variants.set(variant, graph);
    return QUESTIONS[kind]?.(await graph);
  }

  async close(): Promise<void> {
    for (const graph of this.#variants.values()) (await graph).dispose();
    this.graph.dispose();
  }
}

test('requests in random order on one graph have the same answers as each on a graph of its own', async (t) => {
  const { Graph } = await loadAddon();
  const expected = new Map<Question, unknown>();
  for (const question of ALL) {
    const fresh = new Asked(await Graph.open(town.file));
    expected.set(question, await fresh.ask(question));
    await fresh.close();
  }
  for (const kind of ['matrix', 'rentedMatrix', 'plan', 'isochrone', 'walkshed', 'circles']) {
    const answers = ALL.filter(([, , other]) => other === kind).map((question) =>
      JSON.stringify(expected.get(question)),
    );
    t.true(new Set(answers).size > 1, `${kind} distinguishes the states`);
  }
  const random = new Random(15, 'order of questions');
  const one = new Asked(await Graph.open(town.file));
  for (let i = 0; i < 4 * ALL.length; i += 1) {
    const question = random.pick(ALL);
    t.deepEqual(await one.ask(question), expected.get(question), question.join(' '));
  }
  await one.close();
});

test('an analysis of another day takes stations to have bikes, as a plan does', async (t) => {
  const { Graph } = await loadAddon();
  const graph = await Graph.open(town.file);
  const empty = STATIONS.few().map((place) => ({ ...place, bikesAvailable: 0 }));
  const modes: Partial<PlanRequest> = {
    modes: ['WALK', 'BICYCLE'],
    bikeRental: true,
    maxWalkDistance: 5000,
    walkSpeed: 0.6,
  };
  const ask = async (epochSeconds: number) => {
    const asked = request({ ...modes, epochSeconds });
    const ends = { origins: flat(0.5).slice(0, 2), destinations: flat(0.5).slice(-2), maxSeconds: 7200 };
    const surface = await graph.surface(asked, { cutoffSeconds: 3600 });
    const { plan } = await graph.plan(asked);
    const grid = await graph.isochrone(asked, { area: AREA, cutoffs: [1500], decimals: 5 });
    return {
      matrix: [...(await graph.matrix(asked, ends))],
      surface: [...(await surface.timesTo(await surface.linkPoints(flat(0.5).slice(-2)), 1.3))],
      plan: plan?.itineraries.map(({ startTime, endTime }) => endTime - startTime),
      grid,
    };
  };
  const [now, later] = [Date.now() / 1000, Date.now() / 1000 + 7 * 86_400];
  await graph.setRentalStations(STATIONS.few());
  const withBikes = await ask(later);
  await graph.setRentalStations(empty);
  t.deepEqual(await ask(later), withBikes);
  const without = await ask(now);
  for (const kind of ['matrix', 'surface', 'plan', 'grid'] as const)
    t.notDeepEqual(without[kind], withBikes[kind], kind);
  graph.dispose();
});
