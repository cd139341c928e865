// Tries three servers and three workers together, with a real Redis (`redis-server`) and a real object store
// (`versitygw`), on the sample town, and ends with status 1 when a check fails:
//   node scripts/try-hosts.mjs [--swaps 20] [--rate 50] [--parts 150] [--kills 5]
// What is stored on one server is requested from all; a job continues while workers are killed and while Redis is gone
// for ten seconds and comes back empty, and its result is compared with that of one process; routers swap under load; two
// publishers race; the object store stops answering.

import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { freePort } from './free-port.mjs';
import { startRedis } from './started-redis.mjs';
import { MAIN } from './started-server.mjs';

const number = (text) => ({ type: 'string', default: text });
const { values } = parseArgs({
  options: { swaps: number('20'), rate: number('50'), parts: number('150'), kills: number('5') },
});
const [SWAPS, RATE, PARTS, KILLS] = [values.swaps, values.rate, values.parts, values.kills].map(Number);
const PLACES = 'fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=8:00am';
const SEARCH = ['--date', '2026-11-23', '--time', '8:00'];

const directory = await mkdtemp(path.join(tmpdir(), 'trestle-hosts-'));
const env = {
  ...process.env,
  AWS_ACCESS_KEY_ID: 'access',
  AWS_SECRET_ACCESS_KEY: 'secret-key',
  ROOT_ACCESS_KEY: 'access',
  ROOT_SECRET_KEY: 'secret-key',
};
const processes = new Set();
let failures = 0;

function check(what, isRight, more = '') {
  if (!isRight) failures += 1;
  console.log(`${isRight ? 'right' : 'WRONG'}  ${what}${more === '' ? '' : `: ${more}`}`);
}

function start(program, args) {
  return watched(spawn(program, args, { cwd: directory, env, stdio: 'ignore' }));
}

/** A process that ends with this script. */
function watched(child) {
  processes.add(child);
  child.once('exit', () => processes.delete(child));
  return child;
}

async function end(child, signal = 'SIGKILL') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function until(what, condition, mostMs = 60_000) {
  for (const deadline = performance.now() + mostMs; !(await condition().catch(() => false)); await pause(50)) {
    if (performance.now() > deadline) throw new Error(`${what} took too long`);
  }
}

const trestle = async (...args) =>
  (await promisify(execFile)(process.execPath, [MAIN, ...args], { cwd: directory, env })).stdout;

/** The status of an answer with its body; 0 without an answer. */
async function ask(root, target, method = 'GET', body = undefined, type = 'text/csv') {
  const headers = { connection: 'close', ...(body && { 'content-type': type }) };
  const signal = AbortSignal.timeout(30_000);
  const answer = await fetch(`${root}/${target}`, { method, body, headers, signal }).catch((error) => error);
  if (answer instanceof Error) return { status: 0, text: String(answer.cause ?? answer) };
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
}

/** Sends `RATE` plans a second to the servers in turn. The returned function stops that and summarizes the answers. */
function plansUnderWay(roots) {
  const asked = [];
  let isOver = false;
  const begun = performance.now();
  const asking = (async () => {
    while (!isOver) {
      asked.push(ask(roots[asked.length % roots.length], `routers/town/plan?${PLACES}`));
      await pause(Math.max(0, begun + (asked.length * 1000) / RATE - performance.now()));
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    const answers = await Promise.all(asked);
    const failed = answers.filter(({ status, text }) => status !== 200 || !text.includes('"itineraries"'));
    const rate = (answers.length / ((performance.now() - begun) / 1000)).toFixed(1);
    const example = failed[0] === undefined ? '' : `, for example ${failed[0].status} ${failed[0].text.slice(0, 200)}`;
    return {
      failed: failed.length,
      text: `${answers.length} plans, ${rate} a second, ${failed.length} failed${example}`,
    };
  };
}

async function startStore(port) {
  const store = start('versitygw', ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', path.join(directory, 'store')]);
  await until('the object store', async () => (await fetch(`http://127.0.0.1:${port}`)).status > 0);
  return store;
}

/** An answer without what differs each time: the features of contours get new ids. */
const comparable = ({ text }) => text.replaceAll(/"id":"[^"]*"/g, '');

/** All servers have to give the same answers about what is stored on one of them. */
async function tryShared(roots) {
  const csv = await readFile(path.join(directory, 'a/town/pointsets/town.csv'), 'utf8');
  for (const [i, root] of roots.entries())
    check(`point set on host ${i + 1}`, (await ask(root, `pointsets/set${i}`, 'POST', csv)).status === 201);
  let answers = 0;
  let different = 0;
  for (const root of [...roots, ...roots]) {
    const made = await ask(root, `surfaces?${PLACES}&batch=true`, 'POST');
    const id = /"id":(\d+)/.exec(made.text)?.[1];
    for (const target of [
      `surfaces/${id}/raster?width=200&height=150&format=image/png`,
      `surfaces/${id}/isochrone?spacing=10&nMax=3`,
      ...roots.map((_, i) => `surfaces/${id}/indicator?targets=set${i}`),
    ]) {
      const found = await Promise.all(roots.map((each) => ask(each, target)));
      answers += found.length;
      different += found.filter((each) => each.status !== 200 || comparable(each) !== comparable(found[0])).length;
    }
  }
  check(
    'surfaces and point sets of every host, asked of every host',
    different === 0,
    `${answers} answers, ${different} different`,
  );
}

/** Hashes of the files of a result. */
async function resultOf(folder) {
  const names = ['manifest.json', ...(await readdir(path.join(folder, 'parts'))).sort().map((name) => `parts/${name}`)];
  const hash = async (name) =>
    createHash('sha256')
      .update(await readFile(path.join(folder, name)))
      .digest('hex');
  return JSON.stringify(await Promise.all(names.map(async (name) => [name, await hash(name)])));
}

/** Adds a job to the queue after one process has computed it for comparison; resolves with its id. */
async function submitJob(redis) {
  const places = path.join(directory, 'places.csv');
  const town = await readFile(path.join(directory, 'a/town/pointsets/town.csv'), 'utf8');
  await writeFile(
    places,
    `${town
      .split('\n')
      .slice(0, 1 + 3 * PARTS)
      .join('\n')}\n`,
  );
  const search = [...SEARCH, '--cutoffMinutes', '15,30', '--window', '60', '--partOrigins', '3'];
  const job = ['accessibility', places, places, ...search, '--graph', 'a/town', '--router', 'town'];
  await trestle('job', ...job, '--out', 'alone');
  const place = ['--redis', redis.url, '--jobs', 's3://bucket/jobs', '--s3Endpoint', redis.endpoint];
  return (await trestle('job', ...job, ...place, '--queue', '--detach')).trim();
}

/** Redis is gone for ten seconds and comes back empty. */
async function loseRedis(roots, redis) {
  await end(redis.process);
  await pause(1000);
  const refused = await ask(roots[0], `surfaces?${PLACES}&batch=true`, 'POST');
  check('without Redis a new surface is refused', refused.status === 503, `${refused.status}`);
  await pause(9000);
  redis.process = watched(await startRedis(redis.port));
}

/** Kills workers at random moments and loses Redis once; resolves with the number of parts done at each moment. */
async function disturb(roots, workers, startWorker, redis, status) {
  const done = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const parts = async () => (await status(roots[kill % 3])).partsDone;
    await until('a part', async () => (await parts()) > (done.at(-1) ?? 0));
    await pause(Math.random() * 1500);
    done.push(await parts());
    if (done.at(-1) === PARTS) break;
    const at = Math.floor(Math.random() * workers.length);
    await end(workers[at]);
    workers[at] = startWorker();
    if (kill === Math.floor(KILLS / 2)) await loseRedis(roots, redis);
    // The servers connect again within a second, and then read what is there.
    await until('the queue', async () => (await status(roots[0])).state !== undefined);
  }
  return done;
}

async function tryJob(roots, startWorker, redis) {
  const id = await submitJob(redis);
  const workers = [1, 2, 3].map(() => startWorker());
  const status = async (root) => JSON.parse((await ask(root, `routers/town/jobs/${id}`)).text);
  const stopPlans = plansUnderWay(roots);
  const done = await disturb(roots, workers, startWorker, redis, status);
  const hasEnded = async () => !['waiting', 'running'].includes((await status(roots[1])).state);
  await until('the job', hasEnded, 200_000).catch(async (error) => {
    console.log(JSON.stringify(await status(roots[1])));
    throw error;
  });
  const ended = await Promise.all(roots.map(status));
  const isComplete = ended.every(({ state, partsDone }) => state === 'complete' && partsDone === PARTS);
  check('the job is complete on every host', isComplete);
  const folders = [path.join(directory, 'alone'), path.join(directory, `store/bucket/jobs/${id}`)];
  const [one, many] = await Promise.all(folders.map(resultOf));
  const when = `workers killed after ${done.join(', ')} of ${PARTS} parts`;
  check('its result is that of one process, bit for bit', one === many, when);
  const plans = await stopPlans();
  check('plans meanwhile', plans.failed === 0, plans.text);
  for (const worker of workers) await end(worker, 'SIGTERM');
}

async function tryAfterLoss(roots) {
  const lists = await Promise.all(roots.map(async (root) => JSON.parse((await ask(root, 'surfaces')).text)));
  // Two were stored on each host.
  const areThere = lists.every((list) => list.length === 2 * roots.length);
  check('surfaces from before Redis was lost are on all hosts', areThere, lists.map(({ length }) => length).join(', '));
  const made = await ask(roots[2], `surfaces?${PLACES}&batch=true`, 'POST');
  check('surfaces are made again', made.status === 200, `${made.status}`);
}

async function trySwaps(roots, publish) {
  const stopPlans = plansUnderWay(roots);
  const served = async (root) => /"buildTime":(\d+)/.exec((await ask(root, 'routers/town')).text)?.[1];
  for (let swap = 1; swap <= SWAPS; swap += 1) {
    const { manifest } = JSON.parse(await publish(swap % 2 === 0 ? 'a/town' : 'b/town'));
    await until(`swap ${swap}`, async () =>
      (await Promise.all(roots.map(served))).every((time) => time === String(manifest.buildTime)),
    );
  }
  const plans = await stopPlans();
  check(`${SWAPS} swaps on three hosts under load`, plans.failed === 0, plans.text);
}

async function tryPublishers(roots, publish) {
  const outcomes = await Promise.allSettled([publish('a/town'), publish('b/town')]);
  const won = outcomes.flatMap(({ value }) => (value === undefined ? [] : [JSON.parse(value)]));
  const lost = outcomes.filter(({ status }) => status === 'rejected');
  const reasons = lost.map(({ reason }) => /\((\w+)\)/.exec(reason.stderr)?.[1]).join();
  check(
    'two publishers at once: one wins, or one after the other',
    won.length + lost.length === 2 && won.length > 0,
    `${won.length} published ${reasons}`,
  );
  const times = won.map(({ manifest }) => String(manifest.buildTime));
  const served = async () =>
    Promise.all(roots.map(async (root) => /"buildTime":(\d+)/.exec((await ask(root, 'routers/town')).text)?.[1]));
  await pause(4000);
  const found = await served();
  check('all hosts serve one of what was published', new Set(found).size === 1 && times.includes(found[0]));
}

async function tryWithoutStore(roots, store) {
  const stopPlans = plansUnderWay(roots);
  store.process.kill('SIGSTOP');
  await pause(5000);
  store.process.kill('SIGCONT');
  await end(store.process);
  await pause(5000);
  store.process = await startStore(store.port);
  const plans = await stopPlans();
  check('plans while the object store hangs, and is gone', plans.failed === 0, plans.text);
}

/** Two graphs of the town, with different configurations inside. */
async function buildGraphs() {
  for (const [name, timeout] of [
    ['a', 3],
    ['b', 4],
  ]) {
    await trestle('sample', `${name}/town`);
    await writeFile(path.join(directory, name, 'town/router-config.json'), `{ "timeout": ${timeout} }`);
    await trestle('build', `${name}/town`);
  }
}

/** Starts three servers; resolves with the addresses of their interfaces. */
async function startServers(common) {
  const roots = [];
  for (const host of [1, 2, 3]) {
    const port = await freePort();
    const address = ['--port', String(port), '--bindAddress', '127.0.0.1', '--hostName', `host${host}`];
    const own = ['--cache', `cache${host}`, '--pointSets', `sets${host}`];
    // With this many threads no plan has to queue while the machine is busy with workers.
    const load = ['--analyst', '--insecure', '--followSeconds', '1', '--maxThreads', '16'];
    start(process.execPath, [MAIN, 'serve', ...common, ...address, ...own, ...load]);
    roots.push(`http://127.0.0.1:${port}/otp`);
  }
  for (const root of roots) await until('the start', async () => (await ask(root, 'routers/town')).status === 200);
  return roots;
}

async function run() {
  const [redisPort, storePort] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${storePort}`;
  await mkdir(path.join(directory, 'store/bucket'), { recursive: true });
  const redis = {
    port: redisPort,
    url: `redis://127.0.0.1:${redisPort}`,
    endpoint,
    process: watched(await startRedis(redisPort)),
  };
  const store = { port: storePort, process: await startStore(storePort) };
  await buildGraphs();
  const publish = (from) => trestle('publish', from, 's3://bucket/graphs', '--s3Endpoint', endpoint, '--json');
  await publish('a/town');
  const common = [
    '--redis',
    redis.url,
    '--jobs',
    's3://bucket/jobs',
    '--graphs',
    's3://bucket/graphs',
    '--s3Endpoint',
    endpoint,
  ];
  const roots = await startServers(common);
  let workers = 0;
  const startWorker = () =>
    start(process.execPath, [MAIN, 'work', ...common, '--cache', `work${workers++}`, '--maxThreads', '1']);
  await tryShared(roots);
  await tryJob(roots, startWorker, redis);
  await tryAfterLoss(roots);
  await trySwaps(roots, publish);
  await tryPublishers(roots, publish);
  await tryWithoutStore(roots, store);
}

try {
  await run();
} finally {
  await Promise.all([...processes].map((child) => end(child)));
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
