/** One series: a kind of request sent to one target with a number of requests at a time. */

import { judge, type Verdicts } from './answer-check.js';
import { type BenchRequest, REQUEST_KINDS } from './request-kinds.js';
import { type Latencies, latencies } from './statistics.js';
import { type Answer, NO_ANSWER, type Target, type Usage } from './target.js';

export interface Series extends Latencies, Verdicts, Usage {
  target: string;
  kind: string;
  /** Requests at a time, `--workers`. */
  workers: number;
  requests: number;
  /** Requests per second of wall time. */
  perSecond: number;
  meanBytes: number;
}

/** How often each request is sent. */
interface Effort {
  /** Requests sent before the clock starts, unless they take longer than {@link WARM_UP_MS}. */
  warmUp: number;
  /** How often the list of requests is repeated. */
  rounds: number;
}

/** Longest time for warming up, milliseconds. */
const WARM_UP_MS = 2000;

/** Warms up, times every request, then judges the answers. */
export async function runSeries(
  target: Target,
  kind: string,
  requests: readonly BenchRequest[],
  atATime: number,
  effort: Effort,
): Promise<Series> {
  const calls = requests.map((request) => target.prepare(request));
  await warmUp(calls, atATime, effort.warmUp);
  await target.usage();
  const timed = Array.from({ length: effort.rounds }, () => calls).flat();
  const started = performance.now();
  const { answers, times } = await callAll(timed, atATime);
  const seconds = (performance.now() - started) / 1000;
  const usage = await target.usage();
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0);
  return {
    target: target.name,
    kind,
    workers: atATime,
    requests: timed.length,
    perSecond: timed.length / seconds,
    meanBytes: timed.length === 0 ? 0 : Math.round(bytes / timed.length),
    ...latencies(times),
    ...judge(REQUEST_KINDS[kind]?.format ?? 'any', answers, requests),
    ...usage,
  };
}

/** The runtime compiles frequent code only after hundreds of requests, so the list is repeated if necessary. */
async function warmUp(calls: ReadonlyArray<() => Promise<Answer>>, atATime: number, count: number): Promise<void> {
  const latest = performance.now() + WARM_UP_MS;
  const sent = Array.from({ length: calls.length === 0 ? 0 : count }, (_, i) => async () => {
    if (performance.now() < latest) await calls[i % calls.length]?.();
    return NO_ANSWER;
  });
  await callAll(sent, atATime);
}

/** Sends all calls, `atATime` together; milliseconds and answers in the order of the calls. */
export async function callAll(
  calls: ReadonlyArray<() => Promise<Answer>>,
  atATime: number,
): Promise<{ answers: Answer[]; times: Float64Array }> {
  const answers: Answer[] = new Array(calls.length);
  const times = new Float64Array(calls.length);
  let next = 0;
  const work = async () => {
    while (next < calls.length) {
      const i = next++;
      const started = performance.now();
      answers[i] = await (calls[i] as () => Promise<Answer>)();
      times[i] = performance.now() - started;
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { answers, times };
}
