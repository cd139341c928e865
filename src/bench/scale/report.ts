/** The report of the scale suite: a table and charts. */

import { cpus, totalmem } from 'node:os';
import { tableLines } from '../markdown.js';
import { chartsSvg, type Line } from './chart.js';
import type { ScaleRow } from './measurement.js';

/** The file of the charts, beside the report. */
export const CHART_FILE = 'scale.svg';

export function scaleMarkdown(rows: readonly ScaleRow[]): string {
  const processors = cpus();
  const columns: ReadonlyArray<readonly [string, (row: ScaleRow) => string]> = [
    ['Vertices', ({ build }) => build.vertices.toLocaleString('en')],
    ['Edges', ({ build }) => build.edges.toLocaleString('en')],
    ['Trips', ({ build }) => build.trips.toLocaleString('en')],
    ['Build s', ({ build }) => build.seconds.toFixed(1)],
    ['Peak MB', ({ build }) => megabytes(build.peakBytes)],
    ['File MB', ({ build }) => megabytes(build.fileBytes)],
    ['Bytes an edge', ({ build }) => (build.fileBytes / build.edges).toFixed(0)],
    ['Open ms', ({ ask }) => ask.openMs.toFixed(1)],
    ...kindsOf(rows).map((kind) => [`${kind} p50 (p95) ms`, (row: ScaleRow) => kindCell(row, kind)] as const),
    ['Memory serving MB', ({ ask }) => megabytes(ask.peakBytes)],
  ];
  const heads = columns.map(([head]) => head);
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  return [
    '# Time and memory against size',
    '',
    `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${(totalmem() / 1e9).toFixed(0)} GB, Node ${process.version}. ` +
      'Sample cities with elevation and timetables. Each build and each series of requests had a process of its own.',
    '',
    ...tableLines(heads, cells, '--:'),
    '',
    `![Time and memory against size](${CHART_FILE})`,
    '',
    ...stepTable(rows),
    '',
  ].join('\n');
}

export function scaleSvg(rows: readonly ScaleRow[]): string {
  const against = (figure: (row: ScaleRow) => number): Line['points'] =>
    rows.map((row) => [row.build.vertices, figure(row)]);
  const kindLines = kindsOf(rows).map((kind) => ({
    name: kind,
    points: against((row) => row.ask.kinds.find((k) => k.kind === kind)?.p50 ?? 0),
  }));
  return chartsSvg([
    {
      title: 'Milliseconds of a request (p50), and to open',
      lines: [...kindLines, { name: 'open', points: against(({ ask }) => ask.openMs) }],
    },
    { title: 'Seconds of a build', lines: [{ name: 'build', points: against(({ build }) => build.seconds) }] },
    {
      title: 'MB',
      lines: [
        { name: 'build, peak', points: against(({ build }) => build.peakBytes / 1e6) },
        { name: 'graph file', points: against(({ build }) => build.fileBytes / 1e6) },
        { name: 'asked, peak', points: against(({ ask }) => ask.peakBytes / 1e6) },
      ],
    },
  ]);
}

function stepTable(rows: readonly ScaleRow[]): string[] {
  const steps = [...new Set(rows.flatMap(({ build }) => Object.keys(build.steps)))];
  const cells = rows.map(({ build }) => [
    build.vertices.toLocaleString('en'),
    ...steps.map((step) => (build.steps[step] ?? 0).toFixed(2)),
  ]);
  return ['Seconds of each step of a build:', '', ...tableLines(['Vertices', ...steps], cells, '--:')];
}

function kindsOf(rows: readonly ScaleRow[]): string[] {
  return [...new Set(rows.flatMap(({ ask }) => ask.kinds.map(({ kind }) => kind)))];
}

function kindCell({ ask }: ScaleRow, kind: string): string {
  const found = ask.kinds.find((k) => k.kind === kind);
  return found === undefined ? '' : `${found.p50.toFixed(1)} (${found.p95.toFixed(1)})`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
