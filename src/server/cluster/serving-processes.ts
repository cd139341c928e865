/**
 * The serving processes: they are started, replaced when they die, and killed when they do not answer. If none of this
 * helps, the server ends.
 */

import cluster, { type Worker as ServingProcess } from 'node:cluster';
import type { Logger } from 'pino';

/** When a serving process is considered lost, and when the whole server. */
export interface ProcessRules {
  /** Pause before a process that died is replaced, milliseconds. */
  readonly restartPauseMs: number;
  /** A process that ends within this time of its start has ended early, milliseconds. */
  readonly earlyExitMs: number;
  /** The server ends when a process and those that replaced it have ended early, this many in a row. */
  readonly mostEarlyExits: number;
  /** Time between two checks of whether a process answers, milliseconds. */
  readonly tickMs: number;
  /** Checks in a row that a process may miss; six times as many while it is starting. */
  readonly silentTicks: number;
  /** Longest time from the order to stop to the end of a process, milliseconds. */
  readonly stopMs: number;
}

/** The rules of a server. A process that is stopped or stuck delays the others by ten seconds. */
export const PROCESS_RULES: ProcessRules = {
  restartPauseMs: 1000,
  earlyExitMs: 30_000,
  mostEarlyExits: 5,
  tickMs: 1000,
  silentTicks: 10,
  stopMs: 30_000,
};

/** Why the server ends without having been stopped. */
export interface ProcessFailure {
  readonly message: string;
  /** Exit status with which the failed process ended, if any. */
  readonly exitCode?: number;
}

interface Member {
  readonly serving: ServingProcess;
  readonly since: number;
  /** How many before it, each replaced by the next, ended early. */
  readonly earlyExits: number;
  /** Checks since its last message. */
  silent: number;
  /** Whether it has sent a message. */
  hasAnswered: boolean;
  /** Whether it receives changes. */
  joined: boolean;
}

/** Called when something happens to a process. */
interface ProcessEvents {
  message(serving: ServingProcess, message: unknown): void;
  died(serving: ServingProcess): void;
  /** Asks whether a process still answers; any message is an answer. */
  ask(serving: ServingProcess): void;
}

/** Keeps a number of processes alive. */
export class ServingProcesses {
  /** Resolves when the server has to end. */
  readonly failure: Promise<ProcessFailure>;
  readonly #members = new Map<number, Member>();
  #fail: (failure: ProcessFailure) => void = () => {};
  #first = 0;
  #stopping = false;

  constructor(
    private readonly logger: Logger,
    private readonly rules: ProcessRules,
    private readonly events: ProcessEvents,
  ) {
    this.failure = new Promise((resolve) => {
      this.#fail = resolve;
    });
  }

  /** Forks the processes; they run the same command line. */
  start(count: number): void {
    // Each accepts connections itself: a connection that is passed to a process which dies at that moment would never
    // be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.on('message', (serving, message) => {
      const member = this.#members.get(serving.id);
      if (member) Object.assign(member, { silent: 0, hasAnswered: true });
      this.events.message(serving, message);
    });
    cluster.on('exit', (serving, code, signal) => this.#died(serving, signal ?? `status ${code}`));
    setInterval(() => this.#tick(), this.rules.tickMs).unref();
    this.#first = count;
    for (let i = 0; i < count; i += 1) this.#fork(0);
  }

  /** Adds the process to those that receive changes. */
  join(serving: ServingProcess): void {
    const member = this.#members.get(serving.id);
    if (member) member.joined = true;
  }

  /** The processes that receive changes. */
  joined(): ServingProcess[] {
    return [...this.#members.values()].filter(({ joined }) => joined).map(({ serving }) => serving);
  }

  /** Notes why a process ends. If it is one of the first, the server cannot start. */
  cannotServe(serving: ServingProcess, failure: ProcessFailure): void {
    if (serving.id <= this.#first) this.#fail(failure);
    else this.logger.error({ process: serving.id, reason: failure.message }, 'serving process could not start');
  }

  /** Kills a process that does not work as it has to; another one replaces it. */
  replace(serving: ServingProcess, reason: string): void {
    this.logger.error({ process: serving.id, reason }, 'serving process is killed');
    serving.process.kill('SIGKILL');
  }

  /** Asks all processes to finish; resolves when the last one has gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const processes = [...this.#members.values()].map(({ serving }) => serving);
    const gone = processes.map((serving) => new Promise((resolve) => serving.once('exit', resolve)));
    for (const serving of processes) serving.process.kill('SIGTERM');
    const late = setTimeout(() => {
      for (const { serving } of this.#members.values()) this.replace(serving, 'it did not stop in time');
    }, this.rules.stopMs);
    await Promise.all(gone);
    clearTimeout(late);
  }

  #fork(earlyExits: number): void {
    const serving = cluster.fork();
    // A message to a process that has just died cannot be written. That process is handled when its exit is reported.
    serving.on('error', (error) =>
      this.logger.warn({ process: serving.id, err: error }, 'message to a serving process failed'),
    );
    const since = performance.now();
    this.#members.set(serving.id, { serving, since, earlyExits, silent: 0, hasAnswered: false, joined: false });
  }

  #died(serving: ServingProcess, how: string): void {
    const member = this.#members.get(serving.id);
    this.#members.delete(serving.id);
    this.events.died(serving);
    if (this.#stopping || member === undefined) return;
    const { earlyExitMs, mostEarlyExits, restartPauseMs } = this.rules;
    const earlyExits = performance.now() - member.since < earlyExitMs ? member.earlyExits + 1 : 0;
    if (earlyExits >= mostEarlyExits) {
      const message = `a serving process died ${earlyExits} times, each time within ${earlyExitMs / 1000} s of its start (${how})`;
      return this.#fail({ message });
    }
    this.logger.error({ process: serving.id, how }, 'serving process died, another one is started');
    setTimeout(() => !this.#stopping && this.#fork(earlyExits), restartPauseMs);
  }

  /** Counts checks and not time, because the whole machine may have slept. */
  #tick(): void {
    for (const member of this.#members.values()) {
      const { serving, hasAnswered } = member;
      member.silent += 1;
      const most = this.rules.silentTicks * (hasAnswered ? 1 : 6);
      if (member.silent > most) this.replace(serving, 'it does not answer');
      else if (hasAnswered) this.events.ask(serving);
    }
  }
}
