/** The report of a build as the interface shows it. */

import { jsonOf } from '../json.js';
import type { BuildReport as WrittenReport } from '../native/types.js';
import type { BuildReport } from './answers/index.js';
import { milliseconds } from './milliseconds.js';
import type { Written } from './written.js';

/** Issues of the answer, of each kind; the file has more. */
const SHOWN_OF_A_KIND = 20;

/** The report in a file that `trestle build` wrote, without paths; undefined for a file that is not such a report. */
export function presentBuildReport(text: string): Written<BuildReport> | undefined {
  const report = parsed(text);
  if (report === undefined) return undefined;
  const shown = new Map<string, number>();
  const issues = report.issues.filter(({ code }) => {
    const count = (shown.get(code) ?? 0) + 1;
    shown.set(code, count);
    return count <= SHOWN_OF_A_KIND;
  });
  const { vertices, edges, stops, routes, patterns, trips, buildTime } = report.info;
  return {
    buildTime: milliseconds(buildTime),
    bytes: report.bytes,
    contents: { vertices, edges, stops, routes, patterns, trips },
    steps: report.steps.map(({ step, seconds }) => ({ step, milliseconds: seconds * 1000 })),
    issueCounts: report.issueCounts.map(({ code, count }) => ({ code, count })),
    issues: issues.map(({ code, file, line, message }) => ({ code, file, line, message })),
  };
}

function parsed(text: string): WrittenReport | undefined {
  const report = jsonOf(text) as Partial<WrittenReport> | null | undefined;
  const lists = [report?.steps, report?.issues, report?.issueCounts];
  return lists.every(Array.isArray) && report?.info !== undefined ? (report as WrittenReport) : undefined;
}
