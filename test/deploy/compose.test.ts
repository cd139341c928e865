/** The compose file: its form, and that what it describes works, with its services as processes of this machine. */

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { ComposeProcesses } from '../support/compose-processes.js';
import { isThere } from '../support/needs.js';
import { HAS_OBJECT_SERVER } from '../support/object-server.js';
import { HAS_REDIS } from '../support/redis-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPOSE = path.join(ROOT, 'docs/deploy/compose/compose.yaml');
const CONTAINER = path.join(ROOT, 'docs/deploy/Containerfile');

const HAS_PROXY = isThere('haproxy', spawnSync('haproxy', ['-v']).status === 0);
const HAS_PROMETHEUS = isThere('prometheus', spawnSync('prometheus', ['--version']).status === 0);
const hasAll = HAS_PROXY && HAS_PROMETHEUS && HAS_REDIS && HAS_OBJECT_SERVER;
const withServices = hasAll ? test.serial : test.serial.skip;

const PLAN = '/otp/routers/town/plan?fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00';

const SECRETS = { VALKEY_PASSWORD: 'a-password', STORE_ACCESS_KEY: 'access', STORE_SECRET_KEY: 'a-secret-key' };

const SERVERS = ['server-one', 'server-two'] as const;

/** Build time of the graph that a server serves; undefined when it serves none. */
async function buildTime(services: ComposeProcesses, server: string): Promise<unknown> {
  const answer = await fetch(`${services.url(server)}/otp/routers/town`).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as { buildTime: number }).buildTime : undefined;
}

/** Whether a server has answered a plan since it was started. */
async function hasPlanned(services: ComposeProcesses, server: string): Promise<boolean> {
  const answer = await fetch(`${services.url(server)}/metrics`).catch(() => undefined);
  return /^trestle_http_requests_total\{[^}]*plan",status="200"\} [1-9]/m.test((await answer?.text()) ?? '');
}

/** All services, with a graph of the sample town that is published. */
async function startAll(t: ExecutionContext) {
  const inputs = await temporaryDirectory(t);
  // The proxy of this test is on the same machine as the servers. With this many threads no plan has to wait for its
  // turn, however busy the machine is with other tests.
  const here = { PROXY_NETWORK: '127.0.0.0/8', SERVER_THREADS: '64' };
  const variables = { ...SECRETS, ...here, INPUTS: inputs };
  const services = await ComposeProcesses.read(t, COMPOSE, CONTAINER, variables);
  await services.up(...services.usual, 'prometheus');
  await services.run('trestle', 'sample', '/inputs/town');
  const publish = async (timeout: number) => {
    await writeFile(path.join(inputs, 'town/router-config.json'), `{ "timeout": ${timeout} }`);
    await services.run('trestle', 'build', '/inputs/town');
    await services.run('trestle', 'publish', '/inputs/town', 's3://trestle/graphs');
  };
  await publish(3);
  // Both servers take what was published.
  await until(async () => (await Promise.all(SERVERS.map((server) => buildTime(services, server)))).every(Boolean));
  return { services, publish, inputs };
}

/** Requests through the proxy, about thirty a second, until `stop`; resolves with the answers that were not plans. */
function plansWhile(base: string) {
  let going = true;
  const failures: string[] = [];
  let sent = 0;
  const one = async () => {
    const number = sent;
    const failed = (reason: string) => failures.push(`request ${number}: ${reason}`);
    try {
      const answer = await fetch(base + PLAN);
      const text = await answer.text();
      if (answer.status !== 200 || !text.includes('"itineraries"')) failed(`${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failed(String((error as Error).cause ?? error));
    }
  };
  const load = (async () => {
    const waiting = new Set<Promise<void>>();
    while (going) {
      sent += 1;
      const asked = one().finally(() => waiting.delete(asked));
      waiting.add(asked);
      await pause(33);
    }
    await Promise.all(waiting);
  })();
  return async () => {
    going = false;
    await load;
    return { failures, sent };
  };
}

withServices('killed servers and workers and a swapped graph fail no request and no job', async (t) => {
  t.timeout(600_000);
  const { services, publish, inputs } = await startAll(t);
  const places = Array.from({ length: 400 }, (_, i) => `p${i},${48.005 + (i % 20) * 0.001},${15.03 + i * 0.0001}`);
  await writeFile(path.join(inputs, 'places.csv'), `id,lat,lon\n${places.join('\n')}\n`);
  const times = () => Promise.all(SERVERS.map((server) => buildTime(services, server)));
  const before = await times();
  t.is(before[0], before[1]);

  const stop = plansWhile(services.url('proxy'));
  t.teardown(stop);
  const job = ['job', 'matrix', '/inputs/places.csv', '/inputs/places.csv', '--graph', '/inputs/town', '--queue'];
  const submitted = services.run('trestle', ...job, '--date', '2026-11-23', '--time', '8:00', '--partOrigins', '10');
  for (const server of SERVERS) {
    await services.kill(server);
    if (server === 'server-one') await services.kill('worker-one');
    // Until the proxy has seen that it is back.
    await until(() => hasPlanned(services, server));
  }
  t.regex(await submitted, /^400 of 400 origins/);
  await publish(4);
  await until(async () => (await times()).every((time) => time !== undefined && time !== before[0]));
  const { failures, sent } = await stop();
  t.deepEqual(failures, []);
  t.true(sent > 200, `${sent} requests`);
  await checkMonitoring(t, services);
});

/** What Prometheus answers to a query: one row for each series. */
async function ask(services: ComposeProcesses, query: string): Promise<unknown[]> {
  const answer = await fetch(`${services.url('prometheus')}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { status, error, data } = (await answer.json()) as any;
  if (status !== 'success') throw new Error(`${query}: ${error}`);
  return data.result;
}

/** Every metric that the dashboard and the rules name exists, and Prometheus finds what the dashboard asks for. */
async function checkMonitoring(t: ExecutionContext, services: ComposeProcesses): Promise<void> {
  const texts = ['server-one', 'worker-one'].map(async (name) => (await fetch(`${services.url(name)}/metrics`)).text());
  const metrics = (await Promise.all(texts)).join('\n');
  const rules = await readFile(path.join(ROOT, 'docs/deploy/chart/files/alerts.yaml'), 'utf8');
  const { dashboardQueries } = await import(new URL('../../../scripts/lint-monitoring.mjs', import.meta.url).href);
  const queries: { title: string; query: string }[] = dashboardQueries();
  const named = new Set([rules, ...queries.map(({ query }) => query)].join('\n').match(/\b[a-z]+(_[a-z0-9]+)+(?=\{)/g));
  t.true(named.size > 15);
  for (const name of named) t.regex(metrics, new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'), name);

  // Nothing fetches live data here.
  const mayBeEmpty = /trestle_updater/;
  for (const { title, query } of queries) {
    const hasRows = async () => (await ask(services, query)).length > 0 || mayBeEmpty.test(query);
    await until(hasRows, () => `${title}: no rows for ${query}`);
  }
  const loaded = await fetch(`${services.url('prometheus')}/api/v1/rules`);
  const { groups } = ((await loaded.json()) as any).data;
  const health = groups.flatMap(({ rules }: any) => rules.map(({ name, health: state }: any) => `${name} ${state}`));
  t.is(health.length, rules.match(/- alert: /g)?.length);
  t.deepEqual(
    health.filter((line: string) => line.endsWith(' err')),
    [],
  );
}

test('without passwords nothing starts, and the file has none', async (t) => {
  const { VALKEY_PASSWORD: _, ...others } = SECRETS;
  await t.throwsAsync(ComposeProcesses.read(t, COMPOSE, CONTAINER, others), { message: 'VALKEY_PASSWORD is not set' });
  const text = await readFile(COMPOSE, 'utf8');
  for (const [, value] of text.matchAll(/(?:PASSWORD|_KEY|_KEY_ID|TOKENS): (.*)$/gm)) t.regex(value ?? '', /^\$\{/);
});
