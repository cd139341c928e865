/**
 * Recorded requests against graphs built from the same inputs. Needs `../shared`; without it, it is skipped. Single
 * answers may differ for good reasons, so only the share of accepted ones is checked. What is answered has to be as the
 * description of the interface says.
 */

import { cp } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { configuredBuild } from '../../src/registry/build-options.js';
import { type AnswerCheck, answerCheck, routeOf } from '../support/described-answers.js';
import { isThere, SHARED } from '../support/needs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { judge } from './acceptance.js';
import { type Recording, recordings } from './recordings.js';

/**
 * Lowest shares of answers that are the same as the recorded ones or better, by city and area: those of today, so that
 * a single answer that becomes worse is noticed. Two plans of Porto Alegre depend on the time of day of the test.
 */
const LEAST_SHARES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  poa: {
    plan: 0.971,
    plan_midday: 0.972,
    index: 0.964,
    graphql: 0.947,
    isochrone: 0.991,
    simpleiso: 1,
    timegrid: 1,
    profile: 1,
    inspector: 0.826,
    analyst: 0.909,
  },
  pdx: { plan: 0.904, index: 0.97, graphql: 0.907, isochrone: 0.9, timegrid: 1, profile: 1, inspector: 1 },
  porto: { plan: 0.987, index: 0.996, isochrone: 1, timegrid: 1, surfaces: 1 },
  laquila: { plan: 0.983, index: 0.996, isochrone: 0.9, timegrid: 1 },
};

let check: AnswerCheck;
test.before(async () => {
  check = await answerCheck();
});

for (const [city, shares] of Object.entries(LEAST_SHARES)) {
  const areas = Object.keys(shares).map((area) => {
    const recorded = recordings(area, city);
    return [area, recorded, isThere(`${area} as recorded in ${city}`, recorded.length > 0)] as const;
  });
  const replay = areas.every(([, , there]) => there) ? test.serial : test.serial.skip;
  replay(`${city}: recorded answers are matched or beaten`, async (t) => {
    t.timeout(600_000);
    const app = await serveCity(t, city);
    for (const [area, recorded] of areas) {
      const accepted = await replayArea(t, app, recorded);
      t.log(`${area}: ${accepted} of ${recorded.length} accepted`);
      t.true(accepted >= (shares[area] ?? 1) * recorded.length, area);
    }
  });
}

/** Builds a city and serves it with the analysis resources. */
async function serveCity(t: ExecutionContext, city: string): Promise<TestApp> {
  const directory = await temporaryDirectory(t);
  const pointSets = path.join(directory, 'pointsets');
  await cp(path.join(SHARED, 'data', city), directory, { recursive: true });
  await cp(path.join(SHARED, 'data', 'pointsets'), pointSets, { recursive: true });
  const { Graph } = await loadAddon();
  const { path: file } = await Graph.build(directory, (await configuredBuild(directory)).options);
  const served = { id: city, graph: await Graph.open(file), file };
  return startApp(t, [served], { flags: { analyst: true, insecure: true, pointSets } });
}

/** Sends the requests of an area one after the other; the number of accepted answers. */
async function replayArea(t: ExecutionContext, app: TestApp, recorded: readonly Recording[]): Promise<number> {
  const surfaces = new Map<string, number>();
  let accepted = 0;
  // The reference cannot remove surfaces; this server would.
  for (const recording of recorded.filter(({ method }) => method !== 'DELETE')) {
    const target = withSurfaces(recording.path, surfaces);
    const { method, headers, requestBody } = recording;
    const sent = requestBody === undefined ? {} : { body: new Uint8Array(requestBody) };
    const response = await app.request(target, { method, headers, ...sent });
    const body = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    const mediaType = response.headers.get('Content-Type') ?? '';
    if (routeOf(method, target))
      t.deepEqual(check({ method, target, status, mediaType, text: String(body) }), [], target);
    const isNew = method === 'POST' && target.startsWith('/surfaces') && recording.status === 200 && status === 200;
    if (isNew) surfaces.set(String(JSON.parse(String(recording.body)).id), JSON.parse(String(body)).id);
    const verdict = await judge(recording, { status, body });
    if (verdict.kind === 'same' || verdict.kind === 'better') accepted += 1;
    else t.log(`${recording.name}: ${verdict.kind}, ${verdict.notes.join('; ')}`);
  }
  return accepted;
}

/** A recorded path with the ids that this server gave to the surfaces. */
function withSurfaces(target: string, surfaces: ReadonlyMap<string, number>): string {
  return target.replace(
    /(\/(?:surfaces|differencetiles)\/)(\d+)/g,
    (_, before, id) => `${before}${surfaces.get(id) ?? id}`,
  );
}
