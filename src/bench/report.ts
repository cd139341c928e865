/** Results as a table for people and as JSON for programs. */

import { cpus } from 'node:os';
import type { Series } from './series.js';

/** How much longer the other server took, kind by kind: its figure divided by ours. */
interface Comparison {
  kind: string;
  workers: number;
  p50: number;
  p95: number;
  p99: number;
  /** Our requests per second divided by the other's. */
  throughput: number;
}

/** A whole run. */
export interface BenchReport {
  node: string;
  processor: string;
  processors: number;
  date: string;
  time: string;
  pairs: number;
  /** Milliseconds to open the graph in process. */
  openMs?: number;
  series: Series[];
  comparisons: Comparison[];
}

/** A report without results. */
export function emptyReport(date: string, time: string, pairs: number): BenchReport {
  const processors = cpus();
  return {
    node: process.version,
    processor: processors[0]?.model ?? 'unknown',
    processors: processors.length,
    date,
    time,
    pairs,
    series: [],
    comparisons: [],
  };
}

/** Ratios for every series that both targets ran. */
export function compareSeries(own: readonly Series[], other: readonly Series[]): Comparison[] {
  return own.flatMap((ours) => {
    const theirs = other.find(({ kind, workers }) => kind === ours.kind && workers === ours.workers);
    if (!theirs) return [];
    const { kind, workers } = ours;
    const ratio = (a: number, b: number) => (b === 0 ? 0 : a / b);
    return [
      {
        kind,
        workers,
        p50: ratio(theirs.p50, ours.p50),
        p95: ratio(theirs.p95, ours.p95),
        p99: ratio(theirs.p99, ours.p99),
        throughput: ratio(ours.perSecond, theirs.perSecond),
      },
    ];
  });
}

type Column<T> = readonly [head: string, cell: (row: T) => string];

const SERIES_COLUMNS: ReadonlyArray<Column<Series>> = [
  ['target', (row) => row.target],
  ['kind', (row) => row.kind],
  ['workers', (row) => String(row.workers)],
  ['n', (row) => String(row.requests)],
  ['p50 ms', (row) => row.p50.toFixed(2)],
  ['p90', (row) => row.p90.toFixed(2)],
  ['p95', (row) => row.p95.toFixed(2)],
  ['p99', (row) => row.p99.toFixed(2)],
  ['max', (row) => row.max.toFixed(2)],
  ['req/s', (row) => row.perSecond.toFixed(1)],
  ['answered', (row) => String(row.answered)],
  ['no trip', (row) => String(row.withoutTrip)],
  ['failed', (row) => String(row.failed)],
  ['infeasible', (row) => String(row.infeasible)],
  ['bytes', (row) => String(row.meanBytes)],
  ['lag p99 ms', (row) => row.eventLoopLagMs?.toFixed(1) ?? ''],
  ['peak MB', (row) => (row.peakBytes === undefined ? '' : (row.peakBytes / 1e6).toFixed(0))],
];

const COMPARISON_COLUMNS: ReadonlyArray<Column<Comparison>> = [
  ['kind', (row) => row.kind],
  ['workers', (row) => String(row.workers)],
  ['p50 ×', (row) => row.p50.toFixed(1)],
  ['p95 ×', (row) => row.p95.toFixed(1)],
  ['p99 ×', (row) => row.p99.toFixed(1)],
  ['throughput ×', (row) => row.throughput.toFixed(1)],
];

export function reportText(report: BenchReport): string {
  const { processors, processor, node, pairs, date, time, openMs } = report;
  const lines = [`${processors} × ${processor}, Node ${node}; ${pairs} pairs, ${date} ${time}`];
  if (openMs !== undefined) lines.push(`graph opened in ${openMs.toFixed(1)} ms`);
  lines.push('', ...table(SERIES_COLUMNS, report.series));
  if (report.comparisons.length > 0) {
    lines.push('', 'The other server compared with this one (larger: this one is faster)', '');
    lines.push(...table(COMPARISON_COLUMNS, report.comparisons));
  }
  const complaints = report.series.flatMap((row) =>
    row.complaints.map((text) => `  ${row.target}, ${row.kind}: ${text}`),
  );
  if (complaints.length > 0) lines.push('', 'complaints', ...complaints);
  return `${lines.join('\n')}\n`;
}

/** Columns of text; numbers are aligned to the right. */
const TEXT_COLUMNS: ReadonlySet<string> = new Set(['target', 'kind']);

/** Rows with aligned cells. */
function table<T>(columns: ReadonlyArray<Column<T>>, rows: readonly T[]): string[] {
  const padded = columns.map(([head, cell]) => {
    const cells = [head, ...rows.map(cell)];
    const width = Math.max(...cells.map((text) => text.length));
    return cells.map((text) => (TEXT_COLUMNS.has(head) ? text.padEnd(width) : text.padStart(width)));
  });
  return ['', ...rows].map((_, i) =>
    padded
      .map((column) => column[i])
      .join('  ')
      .trimEnd(),
  );
}
