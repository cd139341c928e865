/** The report of a build, for those who run the server. */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { ServerFlags } from '../../src/config/server-config.js';
import { answerCheck } from '../support/described-answers.js';
import { FakeGraph } from '../support/fake-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

const issue = (line: number) => ({ code: 'street-island', file: 'a.osm.pbf', line, message: `way ${line}` });

const REPORT = {
  path: '/somewhere/Graph.obj',
  bytes: 12,
  info: { buildTime: 0.005, vertices: 1, edges: 2, stops: 3, routes: 4, patterns: 5, trips: 6, timeZone: 'UTC' },
  steps: [{ step: 'streets', seconds: 0.0015 }],
  issueCounts: [{ code: 'street-island', count: 30 }],
  issues: Array.from({ length: 30 }, (_, line) => issue(line)),
};

async function setUp(t: ExecutionContext, text: string | undefined, flags: ServerFlags = { insecure: true }) {
  const directory = await temporaryDirectory(t);
  if (text !== undefined) {
    await mkdir(path.join(directory, 'report'));
    await writeFile(path.join(directory, 'report', 'report.json'), text);
  }
  const file = path.join(directory, 'Graph.obj');
  const app = await startApp(t, [{ id: 'town', graph: new FakeGraph(), file }], { flags });
  return () => app.get('/routers/town/buildReport');
}

test('the report has what the graph holds, the steps and some issues of each kind, and no paths', async (t) => {
  const get = await setUp(t, JSON.stringify(REPORT));
  const answer = await get();
  const text = await answer.text();
  const received = {
    method: 'GET',
    target: '/routers/town/buildReport',
    status: 200,
    mediaType: 'application/json',
    text,
  };
  t.deepEqual((await answerCheck())(received), []);
  t.false(text.includes('/somewhere'));
  t.deepEqual(JSON.parse(text), {
    buildTime: 5,
    bytes: 12,
    contents: { vertices: 1, edges: 2, stops: 3, routes: 4, patterns: 5, trips: 6 },
    steps: [{ step: 'streets', milliseconds: 1.5 }],
    issueCounts: REPORT.issueCounts,
    issues: REPORT.issues.slice(0, 20),
  });
});

test('without a report, or with a file that is not a report, the answer is 404', async (t) => {
  for (const text of [undefined, 'not JSON', '{}']) {
    const answer = await (await setUp(t, text))();
    t.is(answer.status, 404);
    t.is(await answer.text(), 'there is no build report beside the graph of town\n');
  }
});

test('it needs the role', async (t) => {
  t.is((await (await setUp(t, JSON.stringify(REPORT), {}))()).status, 401);
});
