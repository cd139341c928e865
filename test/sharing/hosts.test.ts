/** Several servers of several processes with one Redis, of which some are killed and some stopped. */

import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { builtBefore } from '../support/built-graph.js';
import { answerCheck, received } from '../support/described-answers.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startCluster, type TestCluster } from '../support/serving-processes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test.serial : test.skip;

const town = builtBefore(test, buildSampleTown);

/** A process that is stopped is given up by its supervisor after three seconds. */
const RULES = { restartPauseMs: 10, tickMs: 50, silentTicks: 60 };

async function startHost(t: ExecutionContext, { url: redis }: RedisServer, hostName: string, processes: number) {
  const graphs = await temporaryDirectory(t);
  await mkdir(path.join(graphs, 'town'));
  await cp(town.file, path.join(graphs, 'town', 'Graph.obj'));
  const pointSets = path.join(graphs, 'pointsets');
  return startCluster(t, graphs, processes, { redis, hostName, analyst: true, pointSets }, RULES);
}

const from = () => {
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  return `fromPlace=${lat},${lon}&date=2026-11-23&time=8:00am&batch=true`;
};

async function ask(
  base: string,
  target: string,
  method = 'GET',
  body?: string,
): Promise<[status: number, text: string]> {
  const headers = body === undefined ? { connection: 'close' } : { connection: 'close', 'Content-Type': 'text/csv' };
  const response = await fetch(base + target, { method, headers, body } as RequestInit);
  return [response.status, Buffer.from(await response.arrayBuffer()).toString('latin1')];
}

const bases = (...hosts: TestCluster[]) => hosts.flatMap((host) => host.bases());

withRedis(
  'what one process is sent, every process of every host answers, also those that replace killed ones',
  async (t) => {
    const redis = await startRedis(t);
    const [one, two] = await Promise.all([startHost(t, redis, 'one', 2), startHost(t, redis, 'two', 2)]);
    t.is(bases(one, two).length, 4);
    const ids: number[] = [];
    for (const base of bases(one, two)) {
      const [status, text] = await ask(base, `/surfaces?${from()}`, 'POST');
      t.is(status, 200, text);
      ids.push(JSON.parse(text).id);
    }
    t.is(new Set(ids).size, 4);
    const rows = 'lat,lon,jobs\n48.01,15.03,5\n48.02,15.04,2\n';
    t.is((await ask(one.bases()[1] ?? '', '/pointsets/work', 'POST', rows))[0], 201);
    const answers = (base: string) =>
      Promise.all([
        ...ids.map((id) => ask(base, `/surfaces/${id}/raster?width=100&height=80&format=image/png`)),
        ...ids.map((id) => ask(base, `/surfaces/${id}/indicator?targets=work`)),
        ask(base, '/pointsets'),
      ]);
    const [first = '', ...others] = bases(one, two);
    const expected = await answers(first);
    for (const [status, text] of expected) t.is(status, 200, text.slice(0, 200));
    for (const base of others) t.deepEqual(await answers(base), expected, base);
    one.kill(0, 'SIGKILL');
    two.kill(1, 'SIGKILL');
    await Promise.all([one.complete(), two.complete()]);
    for (const base of bases(one, two)) t.deepEqual(await answers(base), expected, base);
  },
);

withRedis('a stopped process delays a change and does not prevent it', async (t) => {
  const redis = await startRedis(t);
  const [one, two] = await Promise.all([startHost(t, redis, 'one', 0), startHost(t, redis, 'two', 2)]);
  const [asked = ''] = one.bases();
  two.kill(0, 'SIGSTOP');
  const gone = await fetch(`${asked}/routers/town`, { method: 'DELETE' });
  t.is(gone.status, 200);
  await two.complete();
  for (const base of bases(one, two)) await until(async () => (await ask(base, '/routers/town'))[0] === 404);
  for (const base of bases(one, two)) t.is((await ask(base, '/routers/town'))[0], 404, base);
  const back = await fetch(`${asked}/routers/town`, { method: 'PUT' });
  t.is(back.status, 201);
  t.regex(back.headers.get('Trestle-Hosts') ?? '', /"two"="registered"/);
  t.deepEqual((await answerCheck())(await received(back, 'PUT', '/routers/town')), []);
  for (const base of bases(one, two)) t.is((await ask(base, '/routers/town'))[0], 200, base);
});

withRedis('a host that is stopped is named as one that did not answer, and follows when it goes on', async (t) => {
  const redis = await startRedis(t);
  const [one, two] = await Promise.all([startHost(t, redis, 'one', 0), startHost(t, redis, 'two', 0)]);
  const [asked = '', stopped = ''] = bases(one, two);
  two.kill(0, 'SIGSTOP');
  const gone = await fetch(`${asked}/routers/town`, { method: 'DELETE' });
  t.is(gone.status, 200);
  t.is(gone.headers.get('Trestle-Hosts'), '"one"="evicted", "two"="no answer"');
  two.kill(0, 'SIGCONT');
  await until(async () => (await ask(stopped, '/routers/town'))[0] === 404);
  t.is((await ask(stopped, '/routers/town'))[0], 404);
});
