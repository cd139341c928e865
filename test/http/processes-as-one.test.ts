/** Several processes answer like one, whatever happens to the registry and to the processes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { ServingProcess } from '../support/cluster-server.js';
import { soleRequest } from '../support/sole-request.js';
import { spooled } from '../support/spooled.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const PROGRAM = fileURLToPath(new URL('../support/cluster-server.js', import.meta.url));
const PROCESSES = 3;
/** CHANGES in the environment sets how many are tried, SEED selects other ones. */
const CHANGES = Number(process.env.CHANGES ?? 50);
/** Processes that are killed while they make a change. */
const KILLS = Number(process.env.KILLS ?? 12);
const SEED = Number(process.env.SEED ?? 1);
/** A stopped process is given up after three seconds; processes may die as often as the test wants. */
const RULES = { restartPauseMs: 10, earlyExitMs: 0, tickMs: 50, silentTicks: 60 };

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(port: number, method: string, target: string, body?: string, type?: string): Promise<Answer> {
  const headers = { ...(type && { 'content-type': type }) };
  const { status, text } = await soleRequest(port, method, `/otp${target}`, { body, headers });
  return { status, text };
}

/** A server with its graphs directory, and the ports of its processes. */
class TestedServer {
  readonly #ports = new Map<number, number>();
  #changed: () => void = () => {};
  #hasEnded = false;

  private constructor(
    readonly graphs: string,
    private readonly processes: number,
    program: ChildProcess,
  ) {
    program.on('message', ({ pid, port }: ServingProcess) => {
      if (port === undefined) this.#ports.delete(pid);
      else this.#ports.set(pid, port);
      this.#changed();
    });
    program.once('exit', () => {
      this.#hasEnded = true;
      this.#changed();
    });
  }

  static async start(t: ExecutionContext, processes: number): Promise<TestedServer> {
    const graphs = await temporaryDirectory(t);
    const args = [PROGRAM, graphs, String(processes), JSON.stringify(RULES)];
    const program = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    t.teardown(async () => {
      program.kill('SIGTERM');
      if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
    });
    const server = new TestedServer(graphs, Math.max(1, processes), program);
    await server.complete();
    return server;
  }

  /** Resolves when as many processes serve as there should be. */
  complete(): Promise<void> {
    return this.#until(() => this.#ports.size === this.processes);
  }

  /** Resolves when a process has ended. */
  gone(pid: number): Promise<void> {
    return this.#until(() => !this.#ports.has(pid));
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#hasEnded) throw new Error('the server has ended');
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  get pids(): number[] {
    return [...this.#ports.keys()];
  }

  /** The port of a server of one process. */
  get onlyPort(): number {
    return this.port(this.pids[0] ?? 0);
  }

  port(pid: number): number {
    return this.#ports.get(pid) ?? 0;
  }

  /** Puts a text in place of a router's graph file. */
  async write(id: string, text: string): Promise<void> {
    await mkdir(path.join(this.graphs, id), { recursive: true });
    const file = path.join(this.graphs, id, 'Graph.obj');
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  remove(id: string): Promise<void> {
    return rm(path.join(this.graphs, id), { recursive: true, force: true });
  }
}

type Step =
  | {
      readonly do: 'ask';
      readonly method: string;
      readonly target: string;
      readonly body?: string;
      readonly type?: string;
    }
  | { readonly do: 'write'; readonly id: string; readonly text: string }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'signal'; readonly signal: 'SIGKILL' | 'SIGSTOP' };

const OCTETS = 'application/octet-stream';
const ids = fc.constantFrom('a', 'b', 'default');
const flags = fc.constantFrom('', '?preEvict=true', '?preEvict=false', '?force=true', '?force=false&preEvict=true');
const graphs = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 99 }).map((vertices) => `graph ${vertices}`) },
  { weight: 1, arbitrary: fc.constant('garbage') },
);
const alert = fc.integer({ min: 1, max: 9 }).map((n) => ({
  alertPatches: [{ id: `p${n}`, route: '1:R', alert: { alertHeaderText: `Detour ${n}` } }],
}));

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), id: ids, text: graphs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id: ids }) },
  ...(
    [
      [8, 'PUT', (id: string, flag: string) => `/routers/${id}${flag}`],
      [2, 'PUT', (_: string, flag: string) => `/routers${flag}`],
      [2, 'DELETE', (id: string) => `/routers/${id}`],
      [1, 'DELETE', () => '/routers'],
    ] as const
  ).map(([weight, method, target]) => ({
    weight,
    arbitrary: fc.tuple(ids, flags).map(([id, flag]): Step => ({ do: 'ask', method, target: target(id, flag) })),
  })),
  {
    weight: 4,
    arbitrary: fc.tuple(ids, flags, graphs).map(
      ([id, flag, body]): Step => ({
        do: 'ask',
        method: 'POST',
        target: `/routers/${id}${flag}`,
        body,
        type: OCTETS,
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(ids, graphs).map(
      ([id, body]): Step => ({
        do: 'ask',
        method: 'POST',
        target: `/routers/save?routerId=${id}`,
        body,
        type: OCTETS,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: alert.map(
      (patches): Step => ({
        do: 'ask',
        method: 'POST',
        target: '/patch/patch',
        body: JSON.stringify(patches),
        type: 'application/json',
      }),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'signal', signal: 'SIGKILL' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'signal', signal: 'SIGSTOP' }) },
);

/** What clients can see of a process. */
const SEEN = ['/routers', '/routers/a', '/routers/b', '/routers/default', '/patch/routePatches?agency=1&id=R'];

async function seenOf(port: number): Promise<string[]> {
  const answers = await Promise.all(SEEN.map((target) => ask(port, 'GET', target)));
  return answers.map(({ status, text }) => `${status} ${text}`);
}

/** Takes a step on both servers; on the one with many processes through the process `pid`. */
async function take(t: ExecutionContext, step: Step, one: TestedServer, many: TestedServer, pid: number, what: string) {
  switch (step.do) {
    case 'write':
      await Promise.all([one.write(step.id, step.text), many.write(step.id, step.text)]);
      return;
    case 'remove':
      await Promise.all([one.remove(step.id), many.remove(step.id)]);
      return;
    case 'ask': {
      const { method, target, body, type } = step;
      const expected = await ask(one.onlyPort, method, target, body, type);
      t.deepEqual(await ask(many.port(pid), method, target, body, type), expected, what);
      return;
    }
    case 'signal':
      process.kill(pid, step.signal);
  }
}

test('many processes answer like one after every change, also after kill -9 and while one is stopped', async (t) => {
  const one = await TestedServer.start(t, 0);
  const many = await TestedServer.start(t, PROCESSES);
  const [made = []] = fc.sample(fc.array(steps, { minLength: CHANGES, maxLength: CHANGES }), {
    seed: SEED,
    numRuns: 1,
  });
  let stopped: number | undefined;
  for (const [number, step] of made.entries()) {
    const what = `step ${number} (SEED=${SEED}): ${JSON.stringify(step)}`;
    const able = many.pids.filter((pid) => pid !== stopped);
    const pid = able[number % able.length] ?? 0;
    await take(t, step, one, many, pid, what);
    if (step.do === 'signal' && step.signal === 'SIGSTOP' && stopped === undefined) {
      // The next step happens while it is stopped.
      stopped = pid;
      continue;
    }
    if (step.do === 'signal') await many.gone(pid);
    if (stopped !== undefined) await many.gone(stopped);
    stopped = undefined;
    await many.complete();
    const expected = await seenOf(one.onlyPort);
    for (const pid of many.pids) t.deepEqual(await seenOf(many.port(pid)), expected, what);
  }
  const files = await spooled(many.graphs);
  t.true(files.length <= 3, `${files.length} files for at most three routers`);
});

test('a process that is killed in the middle of a change leaves the others agreed', async (t) => {
  const many = await TestedServer.start(t, PROCESSES);
  const [made = []] = fc.sample(fc.array(fc.tuple(steps, fc.nat(12)), { minLength: KILLS, maxLength: KILLS }), {
    seed: SEED,
    numRuns: 1,
  });
  for (const [number, [step, afterMs]] of made.entries()) {
    const [author = 0, other = 0] = many.pids;
    await many.write('a', `graph ${number + 1}`);
    const { method, target, body, type } =
      step.do === 'ask' ? step : { method: 'PUT', target: '/routers/a', body: undefined, type: undefined };
    const asked = ask(many.port(author), method, target, body, type);
    const meanwhile = ask(many.port(other), 'PUT', '/routers/a');
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    process.kill(author, 'SIGKILL');
    await Promise.allSettled([asked, meanwhile]);
    await many.gone(author);
    await many.complete();
    const [first, ...others] = await Promise.all(many.pids.map((pid) => seenOf(many.port(pid))));
    for (const seen of others) t.deepEqual(seen, first, `kill ${number} (SEED=${SEED}): ${JSON.stringify(step)}`);
  }
});
