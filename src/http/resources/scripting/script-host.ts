/** The operations of the server behind the `otp` object of scripts. */

import { graphKey } from '../../../analysis/graph-key.js';
import { UNREACHED } from '../../../analysis/matrix.js';
import { isAmount, type PointSet } from '../../../analysis/point-set.js';
import type { StoredSurface } from '../../../analysis/surface-store.js';
import { graphInfo } from '../../../native/graph-info.js';
import type { Surface } from '../../../native/types.js';
import { PRODUCT } from '../../../product.js';
import { quoted } from '../../../quoted.js';
import { HELD_PER_HEAP, MAX_LOG_LENGTH, MAX_LOG_LINES } from '../../../scripting/limits.js';
import { JsonText } from '../../../scripting/messages.js';
import { RefusedCall, type ScriptHost } from '../../../scripting/run-script.js';
import { contourCollection } from '../../../serialization/geo-json.js';
import { presentRouter } from '../../../serialization/router-info.js';
import { ListInParts, slicedJson } from '../../../serialization/sliced-json.js';
import { statusOf } from '../../answers/error-status.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { places } from '../../params/place.js';
import { Query } from '../../params/query.js';
import { secondsOf } from '../../params/seconds.js';
import { runSearches, type SearchTime } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { SearchCost } from '../../route.js';
import { analysisRequest } from '../analysis-request.js';
import { searchMatrix } from '../matrix.js';
import { answerPlan } from '../plan/plan.js';
import { indicatorOf } from '../surfaces/indicator.js';
import { findPointSet } from '../surfaces/pointsets.js';
import { cutoffOf } from '../surfaces/surface-search.js';
import { windowOptions } from '../surfaces/window-surfaces.js';

/** Surfaces and point sets that one script may hold. */
const MAX_HELD = 100;

/** Approximate bytes that the interpreter needs for a number or a text of a feature. */
const VALUE_BYTES = 32;

/** Features that are written without a pause. */
const FEATURES_AT_ONCE = 1000;

/** Query parameters as an object; lists repeat a parameter. */
type Parameters = Readonly<Record<string, unknown>> | undefined;

/** The server's side of one run of a script: the operations, and what they keep until `close` frees it. */
export class HostedScript {
  readonly #surfaces: StoredSurface[] = [];
  readonly #pointSets: PointSet[] = [];
  readonly #stop = new AbortController();
  #logged = 0;
  #heldBytes = 0;

  constructor(
    private readonly deps: HandlerDeps,
    /** Called with each line that the script logs. */
    private readonly log: (line: string) => void,
    private readonly address: string,
  ) {}

  /** The operations by name. Each search waits for its turn like that of any other client. */
  readonly host = refusing({
    version: () => PRODUCT.version,
    log: (line: string) => this.#log(line),
    routers: () => this.deps.registry.list().map(({ id }) => id),
    router: (id: string) =>
      this.deps.registry.use(String(id), (router) => presentRouter(router.id, graphInfo(router.graph))),
    plan: (routerId: string, parameters: Parameters) => this.#plan(routerId, parameters),
    surface: (routerId: string, parameters: Parameters) => this.#surface(routerId, parameters),
    matrix: (routerId: string, origins: unknown, destinations: unknown, parameters: Parameters) =>
      this.#matrix(routerId, origins, destinations, parameters),
    times: (surface: number, pointSet: number) => this.#times(surface, pointSet),
    indicator: (surface: number, pointSet: number) => this.#indicator(surface, pointSet),
    contours: (surface: number, spacing: number, count: number) => this.#contours(surface, spacing, count),
    pointSets: () => this.deps.pointSets.list(),
    pointSet: (id: string) => this.#namedPointSet(id),
    points: (features: unknown) => this.#ownPointSet(features),
  });

  /** Stops what is running and releases what the script made. */
  close(): void {
    this.#stop.abort();
    for (const { times } of this.#surfaces) times.dispose();
  }

  #log(line: string): void {
    this.#logged += 1;
    if (this.#logged > MAX_LOG_LINES) throw new RefusedCall(`more than ${MAX_LOG_LINES} lines of log`);
    this.log(String(line).slice(0, MAX_LOG_LENGTH));
  }

  #search<T>(cost: SearchCost, work: (time: SearchTime) => Promise<T>): Promise<T> {
    return runSearches(this.deps, cost, this.#stop.signal, work);
  }

  #plan(routerId: string, parameters: Parameters) {
    const query = Query.of(parameters ?? {});
    return this.#search('search', ({ options }) =>
      answerPlan(this.deps, routerId, query, { address: this.address, search: options }),
    ).then(written);
  }

  async #surface(routerId: string, parameters: Parameters): Promise<number> {
    if (this.#surfaces.length >= MAX_HELD) throw new RefusedCall(`more than ${MAX_HELD} surfaces`);
    const query = Query.of(parameters ?? {});
    const cutoffSeconds = cutoffOf(query);
    const window = windowOptions(query, cutoffSeconds);
    if (window && window.statistics.length > 1)
      throw new BadParameter('percentiles', 'a surface of a script can have only one');
    const surface = await this.#search(window ? 'long search' : 'search', (time) =>
      useRouter(this.deps, routerId, query, async (router) => {
        this.#charge(4 * graphInfo(router.graph).vertices);
        const request = analysisRequest(query, router);
        const [times] = window
          ? await router.graph.windowSurfaces(request, window, time.options)
          : [await router.graph.surface(request, { cutoffSeconds }, time.options)];
        return { times: times as Surface, graphKey: graphKey(router) };
      }),
    );
    if (this.#stop.signal.aborted) {
      surface.times.dispose();
      throw new Error('the script has ended');
    }
    const id = this.#surfaces.length;
    this.#surfaces.push({ id, params: query.firstValues(), ...surface });
    return id;
  }

  #matrix(routerId: string, origins: unknown, destinations: unknown, parameters: Parameters) {
    const ends = { origins: places(origins, 'origins'), destinations: places(destinations, 'destinations') };
    return this.#search('long search', (time) =>
      searchMatrix(this.deps, routerId, Query.of(parameters ?? {}), ends, () => time.options),
    ).then((rows) => new JsonText(rows.toString()));
  }

  async #seconds(
    surface: number,
    pointSet: number,
  ): Promise<{ surface: StoredSurface; set: PointSet; seconds: Int32Array }> {
    const [found, set] = [this.#surfaces[surface], this.#pointSets[pointSet]];
    if (found === undefined || set === undefined) throw new RefusedCall('a surface and a point set are needed');
    const seconds = await found.times.timesTo(await this.deps.pointLinks.of(set, found));
    return { surface: found, set, seconds };
  }

  async #times(surface: number, pointSet: number): Promise<JsonText> {
    const { seconds } = await this.#seconds(surface, pointSet);
    return written(Array.from(seconds, (value) => (value === UNREACHED ? null : value)));
  }

  async #indicator(surfaceId: number, pointSet: number): Promise<object> {
    const { surface, set, seconds } = await this.#seconds(surfaceId, pointSet);
    return indicatorOf(surface, set, seconds);
  }

  async #contours(surface: number, spacing: number, count: number): Promise<JsonText> {
    const found = this.#surfaces[surface];
    if (found === undefined) throw new RefusedCall('a surface is needed');
    const seconds = secondsOf(spacing, 'minutes');
    const contours = await this.#search('search', ({ options }) => found.times.isochrone(seconds, count, options));
    return new JsonText(contourCollection(contours).toString());
  }

  async #namedPointSet(id: string) {
    const set = await findPointSet(this.deps, String(id));
    if (set === undefined) throw new RefusedCall(`there is no point set ${id}`);
    return this.#hold(set);
  }

  #ownPointSet(features: unknown) {
    if (!Array.isArray(features)) throw new BadParameter('points', 'is not a list of { lat, lon, … }');
    const rows = features as ReadonlyArray<Readonly<Record<string, unknown>>>;
    const positions = places(
      rows.map((row) => [row?.lat, row?.lon]),
      'points',
    );
    const names = new Set<string>();
    for (const row of rows) for (const name of Object.keys(row)) if (typeof row[name] === 'number') names.add(name);
    for (const name of ['id', 'lat', 'lon']) names.delete(name);
    this.#requireRoom(rows.length, names.size);
    const amounts = (name: string) => Int32Array.from(rows, (row, i) => amountOf(row[name] ?? 0, name, i));
    return this.#hold({
      size: rows.length,
      positions,
      ids: rows.map(({ id }) => (id === undefined ? null : String(id))),
      properties: new Map([...names].map((name) => [name, { style: {}, amounts: amounts(name) }])),
    });
  }

  /** The set as scripts see it. */
  async #hold(set: PointSet): Promise<JsonText> {
    if (this.#pointSets.length >= MAX_HELD) throw new RefusedCall(`more than ${MAX_HELD} point sets`);
    this.#requireRoom(set.size, set.properties.size);
    const named = set.ids?.reduce((bytes, id) => bytes + 16 + 2 * (id?.length ?? 0), 0) ?? 0;
    this.#charge(set.size * (16 + 4 * set.properties.size) + named);
    const handle = this.#pointSets.push(set) - 1;
    const features = new ListInParts(() => featuresOf(set));
    return written({ handle, id: set.id ?? null, size: set.size, features });
  }

  /**
   * Refuses a set that is too large for the script, where every feature has every number, whether or not it was given.
   */
  #requireRoom(features: number, properties: number): void {
    const { maxScriptBytes } = this.deps.config;
    if (features * (properties + 3) * VALUE_BYTES <= maxScriptBytes) return;
    throw new RefusedCall(
      `a set of ${features} points with ${properties} numbers each is too large for ${maxScriptBytes} bytes`,
    );
  }

  /** Counts the memory that the server keeps for the script until it ends. */
  #charge(bytes: number): void {
    const most = HELD_PER_HEAP * this.deps.config.maxScriptBytes;
    if (this.#heldBytes + bytes > most) throw new RefusedCall(`surfaces and point sets of more than ${most} bytes`);
    this.#heldBytes += bytes;
  }
}

/** The same operations, with refusals for clients turned into errors of the script. */
function refusing(operations: ScriptHost): ScriptHost {
  const call = async (operation: ScriptHost[string], args: never[]) => {
    try {
      return await operation?.(...args);
    } catch (error) {
      const status = statusOf(error);
      throw status !== undefined && status < 500 ? new RefusedCall((error as Error).message) : error;
    }
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (...args: never[]) => call(operation, args)]),
  );
}

function amountOf(value: unknown, name: string, index: number): number {
  if (isAmount(value)) return value;
  throw new BadParameter('points', `place ${index + 1}, ${name}: ${quoted(String(value))} is not a whole number`);
}

async function* featuresOf(set: PointSet): AsyncGenerator<object[]> {
  const properties = [...set.properties];
  const feature = (i: number) => ({
    id: set.ids?.[i] ?? null,
    lat: set.positions[2 * i],
    lon: set.positions[2 * i + 1],
    properties: Object.fromEntries(properties.map(([name, { amounts }]) => [name, amounts[i]])),
  });
  const atOnce = Math.max(1, Math.floor(FEATURES_AT_ONCE / (1 + properties.length / 10)));
  for (let from = 0; from < set.size; from += atOnce) {
    yield Array.from({ length: Math.min(atOnce, set.size - from) }, (_, i) => feature(from + i));
  }
}

/** JSON of a large value, written in slices between which others get their turn. */
async function written(value: unknown): Promise<JsonText> {
  return new JsonText((await slicedJson(value)).toString());
}
