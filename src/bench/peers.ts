/** Comparing with other engines: the same pairs, ratios of times, and whether arrivals agree. */

import type { PlanOutcome } from '../native/types.js';
import { tableLines } from './markdown.js';
import { latencies } from './statistics.js';

export interface PeerAnswers {
  name: string;
  /** What the engine computes for a pair. */
  computes: string;
  /** Seconds until it could answer. */
  loadSeconds: number;
  /** The time of each pair. */
  milliseconds: number[];
  /** Seconds from the departure to the earliest arrival; null without a trip. */
  arrivals: Array<number | null>;
}

/** One engine compared with ours, which is the first row. */
interface PeerRow {
  name: string;
  computes: string;
  loadSeconds: number;
  p50: number;
  p95: number;
  answered: number;
  /** Its p50 divided by ours. */
  ratio: number;
  /** Pairs with an arrival of both. */
  compared: number;
  /** Of these, those on which both arrive within two minutes of each other. */
  agree: number;
  /** Those on which ours arrives more than two minutes later, or earlier. */
  oursLater: number;
  oursEarlier: number;
  /** Median of (ours − theirs), seconds. */
  middleDifference: number;
}

const NEAR_S = 120;

/** Seconds from the departure to the earliest arrival of our trips; null without a trip. */
export function earliestArrival(outcome: PlanOutcome | undefined, departure: number): number | null {
  const { itineraries = [] } = outcome?.plan ?? {};
  return itineraries.length === 0 ? null : Math.min(...itineraries.map(({ endTime }) => endTime)) - departure;
}

/** Rows of ours and the others. */
export function comparePeers(ours: PeerAnswers, others: readonly PeerAnswers[]): PeerRow[] {
  const p50 = latencies(ours.milliseconds).p50;
  return [ours, ...others].map((engine) => {
    const times = latencies(engine.milliseconds);
    const differences = ours.arrivals.flatMap((own, i) => {
      const other = engine.arrivals[i];
      return own === null || other === null || other === undefined ? [] : [own - other];
    });
    const count = (holds: (difference: number) => boolean) => differences.filter(holds).length;
    return {
      name: engine.name,
      computes: engine.computes,
      loadSeconds: engine.loadSeconds,
      p50: times.p50,
      p95: times.p95,
      answered: engine.arrivals.filter((arrival) => arrival !== null).length,
      ratio: p50 === 0 ? 0 : times.p50 / p50,
      compared: differences.length,
      agree: count((difference) => Math.abs(difference) <= NEAR_S),
      oursLater: count((difference) => difference > NEAR_S),
      oursEarlier: count((difference) => difference < -NEAR_S),
      middleDifference: latencies(differences).p50,
    };
  });
}

export function peersText(rows: readonly PeerRow[]): string {
  const head = ['Engine', 'What it computes', 'Load s', 'p50 ms', 'p95 ms', 'p50 ÷ ours', 'Answered'];
  const agreement = ['Within 2 min', 'Ours later', 'Ours earlier', 'Middle of ours − theirs, s'];
  const lines = rows.map((row, i) => [
    row.name,
    row.computes,
    row.loadSeconds.toFixed(2),
    row.p50.toFixed(2),
    row.p95.toFixed(2),
    row.ratio.toFixed(2),
    String(row.answered),
    ...(i === 0
      ? ['', '', '', '']
      : [`${row.agree} of ${row.compared}`, `${row.oursLater}`, `${row.oursEarlier}`, row.middleDifference.toFixed(0)]),
  ]);
  return `${tableLines([...head, ...agreement], lines).join('\n')}\n`;
}
