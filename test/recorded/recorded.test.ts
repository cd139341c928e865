/**
 * Answers for the sample town as they were recorded, and all of them as the description of the interface says.
 * `npm run record` records them anew; what has changed is then a readable difference of the files in `answers`.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { copySample } from '../../src/cli/sample-town.js';
import type { Parameter } from '../../src/http/params/parameter-schema.js';
import { Query } from '../../src/http/params/query.js';
import { ROUTES } from '../../src/http/routes.js';
import { type BuiltGraph, buildGraph, sharedGraph } from '../support/built-graph.js';
import { type AnswerCheck, answerCheck, bodyDifferences, routeOf } from '../support/described-answers.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { abridged, type RecordedAnswer } from './abridged.js';
import { differences, readableJson } from './comparison.js';
import { AREAS, type RecordedRequest } from './requests.js';

/** The records; tests run from `dist/test`. */
const ANSWERS = fileURLToPath(new URL('../../../test/recorded/answers', import.meta.url));
const RECORDS = process.env.UPDATE_ANSWERS === '1';

let town: BuiltGraph;
let pointSets: string;
let check: AnswerCheck;

test.before(async () => {
  pointSets = await mkdtemp(path.join(tmpdir(), 'trestle-recorded-'));
  town = await buildGraph((directory) => copySample(directory, pointSets));
  check = await answerCheck();
});
test.after.always(async () => {
  await town?.remove();
  if (pointSets !== undefined) await rm(pointSets, { recursive: true });
});

for (const [area, requests] of Object.entries(AREAS)) {
  test.serial(`${area}: answers are as recorded, and as described`, async (t) => {
    const served = { id: 'default', graph: sharedGraph(town.graph), file: town.file };
    const app = await startApp(t, [served], { flags: { analyst: true, insecure: true, pointSets } });
    const answers = await sendAll(t, app, requests);
    const file = path.join(ANSWERS, `${area}.json`);
    if (RECORDS) await writeFile(file, `${readableJson(answers)}\n`);
    const recorded = JSON.parse(await readFile(file, 'utf8')) as Record<string, RecordedAnswer>;
    t.deepEqual(Object.keys(answers), Object.keys(recorded));
    for (const [request, answer] of Object.entries(answers))
      t.deepEqual(differences(recorded[request], answer), [], request);
  });
}

/** Names of the parameters that the request under way has read. */
const read = new Set<string>();
const { raw, all } = Query.prototype;
Query.prototype.raw = function (described) {
  read.add(described.name);
  return raw.call(this, described);
};
Query.prototype.all = function <T>(this: Query, described: Parameter<T>) {
  read.add(described.name);
  return all.call(this, described) as Array<Exclude<T, undefined>>;
};

/** Parameters of `plan` that the shared reader also looks for where they have no effect. */
const OF_PLANS = new Set(['intermediatePlaces', 'showIntermediateStops']);

/** Sends requests one after the other; the answers by request. */
async function sendAll(t: ExecutionContext, app: TestApp, requests: readonly RecordedRequest[]) {
  const answers: Record<string, RecordedAnswer> = {};
  let surface = 0;
  for (const { method, target, body, headers = {} } of requests) {
    const actual = target.replaceAll('{surface}', String(surface));
    read.clear();
    const response = await app.request(actual, { method, headers, ...(body === undefined ? {} : { body }) });
    const route = routeOf(method, actual);
    const described = route?.query ?? {};
    const undescribed = [...read].filter((name) => !(name in described) && !OF_PLANS.has(name));
    // Plans in GraphQL have their parameters as arguments.
    if (!actual.includes('/graphql')) t.deepEqual(undescribed, [], `${actual}: read, but not described`);
    const copy = response.clone();
    const text = await copy.text();
    const isJson = headers['Content-Type'] === 'application/json';
    // The interface answers 200 with the reason where it refuses alerts.
    const isAccepted = response.ok && (route?.answer !== 'PatchOutcome' || text === '{"status":"OK"}');
    if (isAccepted && isJson) t.deepEqual(bodyDifferences(route, body), [], `${actual}: body`);
    const received = { method, target: actual, status: copy.status, mediaType: copy.headers.get('Content-Type') ?? '' };
    t.deepEqual(check({ ...received, text, headers: copy.headers }), [], actual);
    if (method === 'POST' && response.ok && target.startsWith('/surfaces')) {
      surface = (JSON.parse(text) as { id?: number }).id ?? surface;
    }
    answers[nameOf({ method, target, body }, answers)] = await abridged(response, new URL(app.base).origin);
  }
  return answers;
}

/** The request in words; with a number where it is sent again. */
function nameOf({ method, target, body }: Omit<RecordedRequest, 'headers'>, known: object): string {
  const name = `${method} ${target}${body === undefined || body === '' ? '' : ` ${body.replace(/\s+/g, ' ')}`}`;
  let found = name;
  for (let n = 2; Object.hasOwn(known, found); n += 1) found = `${name} (${n})`;
  return found;
}

/**
 * Routes whose answers are the same for every town, changes of the registry, and jobs, whose answers say how fast they
 * are, have tests of their own.
 */
const ELSEWHERE =
  /^(GET \/(openapi\.json|docs(\.js)?|application\.wadl)|(PUT|POST|DELETE) \/routers.*|POST \/scripting\/run|GET \/routers\/:routerId\/jobs(\/:jobId)?|GET .*\/graphql\/page\/:file|DELETE \/surfaces\/:surfaceId)$/;

test('every other route has recorded answers', (t) => {
  const requested = new Set(
    Object.values(AREAS)
      .flat()
      .map(({ method, target }) => routeOf(method, target.replaceAll('{surface}', '1'))),
  );
  const missing = ROUTES.filter((route) => !requested.has(route)).map(({ method, path }) => `${method} ${path}`);
  t.deepEqual(
    missing.filter((name) => !ELSEWHERE.test(name)),
    [],
  );
});
