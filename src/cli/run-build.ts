/** What `trestle build` does. */

import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatWarning } from '../config/diagnostic.js';
import { loadAddon } from '../native/addon.js';
import type { BuildReport, WorkProgress } from '../native/types.js';
import { configuredBuild } from '../registry/build-options.js';
import { hasBuildInputs, type InputFile, inputFiles } from '../registry/inputs.js';
import { CommandFailure, EXIT } from './failure.js';
import { progressDisplay } from './progress.js';
import { buildReportHtml } from './report-html.js';

/**
 * Builds `directory` into `output` (by default `Graph.obj` in it) and writes a report beside the graph. `signal` stops the
 * build between its steps.
 */
export async function build(directory: string, output?: string, signal?: AbortSignal): Promise<BuildReport> {
  const inputs = path.resolve(directory);
  if (!(await stat(inputs).catch(() => undefined))?.isDirectory()) {
    throw new CommandFailure(`${directory} is not a directory`, EXIT.usage);
  }
  if (!(await hasBuildInputs(inputs))) {
    throw new CommandFailure(`${directory} holds neither GTFS (*.zip) nor OpenStreetMap data (*.pbf, *.osm)`);
  }
  const { options, config, warnings } = await configuredBuild(inputs);
  for (const warning of warnings) process.stderr.write(`${formatWarning(warning)}\n`);
  // Hashed before the build reads them.
  const files = await inputFiles(inputs);
  const { Graph } = await loadAddon();
  const display = await progressDisplay();
  let report: BuildReport;
  try {
    const onProgress = ({ step, fraction }: WorkProgress) => display.listener(step, fraction);
    report = await Graph.build(inputs, { ...options, output: output && path.resolve(output) }, onProgress, { signal });
  } finally {
    display.stop();
  }
  await writeReport(report, files, config.htmlAnnotations === true);
  process.stderr.write(summary(report));
  return report;
}

/** `report/report.json` beside the graph, and on demand `report/index.html`. */
async function writeReport(report: BuildReport, inputs: readonly InputFile[], html: boolean): Promise<void> {
  const directory = path.join(path.dirname(report.path), 'report');
  await mkdir(directory, { recursive: true });
  const { polygon, ...info } = report.info;
  const json = { ...report, inputs, info: { ...info, polygon: Array.from(polygon) } };
  await writeFile(path.join(directory, 'report.json'), `${JSON.stringify(json, null, 1)}\n`);
  if (html) await writeFile(path.join(directory, 'index.html'), buildReportHtml(report));
}

/** A few lines on what was built, how fast, and what was wrong with the inputs. */
function summary(report: BuildReport): string {
  const { info, steps, issueCounts } = report;
  const seconds = steps.reduce((total, step) => total + step.seconds, 0);
  const megabytes = (report.bytes / 1e6).toFixed(1);
  const rate = Math.round((info.vertices + info.edges) / Math.max(seconds, 0.001));
  const issues = issueCounts.map(({ code, count }) => `  ${count} × ${code}\n`).join('');
  return (
    `${report.path}: ${megabytes} MB in ${seconds.toFixed(1)} s (${rate} vertices and edges/s)\n` +
    `  ${info.vertices} vertices, ${info.edges} edges, ${info.stops} stops, ${info.routes} routes, ${info.trips} trips\n` +
    (issues === '' ? '' : `input rows that were dropped or repaired:\n${issues}`)
  );
}
