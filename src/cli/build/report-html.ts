/** The build report as one page without scripts. */

import type { BuildReport } from '../../native/types.js';

/** A page with the times of the steps and the issues by kind. */
export function buildReportHtml(report: BuildReport): string {
  const { info, steps, issueCounts } = report;
  const facts = [
    ['vertices', info.vertices],
    ['edges', info.edges],
    ['stops', info.stops],
    ['routes', info.routes],
    ['patterns', info.patterns],
    ['trips', info.trips],
  ] as const;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Build report</title>
<style>body{font:14px/1.4 sans-serif;max-width:70em;margin:2em auto}td,th{padding:.1em 1em .1em 0;text-align:left}</style>
<h1>Build report</h1>
<p>${escaped(report.path)}, ${report.bytes} bytes, ${new Date(info.buildTime * 1000).toISOString()}</p>
${table(['', 'count'], facts)}
<h2>Steps</h2>
${table(
  ['step', 'seconds'],
  steps.map(({ step, seconds }) => [step, seconds.toFixed(2)]),
)}
<h2>Issues</h2>
${issueCounts.map(({ code, count }) => issuesOf(report, code, count)).join('\n')}
</html>
`;
}

function issuesOf(report: BuildReport, code: string, count: number): string {
  const rows = report.issues
    .filter((issue) => issue.code === code)
    .map(({ file, line, message }) => [line > 0 ? `${file}:${line}` : file, message]);
  return `<h3>${escaped(code)} (${count})</h3>\n${table(['place', 'message'], rows)}`;
}

function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const row = (cells: ReadonlyArray<string | number>, tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('\n')}</table>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
