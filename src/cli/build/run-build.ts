/** Runs `trestle build`. */

import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatWarning } from '../../config/diagnostic.js';
import { loadAddon } from '../../native/addon.js';
import type { BuildReport, Graph, WorkProgress } from '../../native/types.js';
import { configuredBuild } from '../../registry/build-options.js';
import { GRAPH_FILE } from '../../registry/graph-file.js';
import { type InputFile, type InputKind, inputFiles, inputKind } from '../../registry/inputs.js';
import { makeDirectory } from '../../storage/directory.js';
import { removeUnfinished } from '../../storage/unfinished.js';
import { WRITER_PATTERN } from '../../storage/writer.js';
import { contentsText } from '../contents-text.js';
import { CommandFailure, EXIT } from '../failure.js';
import { progressDisplay } from '../progress.js';
import { serviceDays } from '../service-days.js';
import { buildReportHtml } from './report-html.js';
import { requireInputs } from './require-inputs.js';

/**
 * Builds `directory` into `output` (by default `Graph.obj` in it) and writes a report beside the graph. `signal` stops
 * the build between its steps.
 */
export async function build(directory: string, output?: string, signal?: AbortSignal): Promise<BuildReport> {
  const inputs = path.resolve(directory);
  if (!(await stat(inputs).catch(() => undefined))?.isDirectory()) {
    throw new CommandFailure(`${directory} is not a directory`, EXIT.usage);
  }
  await requireInputs(directory);
  const { options, config, warnings } = await configuredBuild(inputs);
  for (const warning of warnings) process.stderr.write(`${formatWarning(warning)}\n`);
  // Hashed before the build reads them.
  const files = await inputFiles(inputs);
  const target = output === undefined ? undefined : path.resolve(output);
  await removeUnfinishedGraphs(target ?? path.join(inputs, GRAPH_FILE));
  const { Graph } = await loadAddon();
  const display = await progressDisplay();
  let report: BuildReport;
  const started = performance.now();
  try {
    const onProgress = ({ step, fraction }: WorkProgress) => display.listener(step, fraction);
    report = await Graph.build(inputs, { ...options, output: target }, onProgress, { signal });
  } finally {
    display.stop();
  }
  const seconds = (performance.now() - started) / 1000;
  await writeReport(report, files, config.htmlAnnotations === true);
  const has = (kind: InputKind) => files.some(({ name }) => inputKind(name) === kind);
  const graph = await Graph.open(report.path);
  const content = streetsText(report.info.edges, has('streets')) + serviceText(graph, has('transit'));
  process.stderr.write(summary(report, seconds, content));
  graph.dispose();
  return report;
}

/** `report/report.json` beside the graph, and on demand `report/index.html`. */
async function writeReport(report: BuildReport, inputs: readonly InputFile[], html: boolean): Promise<void> {
  const directory = path.join(path.dirname(report.path), 'report');
  await makeDirectory(directory);
  const { polygon, ...info } = report.info;
  const json = { ...report, inputs, info: { ...info, polygon: Array.from(polygon) } };
  await writeFile(path.join(directory, 'report.json'), `${JSON.stringify(json, null, 1)}\n`);
  if (html) await writeFile(path.join(directory, 'index.html'), buildReportHtml(report));
}

/** A line about a map that has no streets: often it is one of other things, or an extract without the nodes. */
function streetsText(edges: number, hasMap: boolean): string {
  return hasMap && edges === 0 ? '  no street could be read: the map has none, or lacks their nodes\n' : '';
}

/** A line about the days of the timetables; nothing without timetables. */
function serviceText(graph: Graph, hasFeeds: boolean): string {
  const info = graph.info();
  if (info.trips === 0) return hasFeeds ? '  no trip could be read: the issues of the feeds are in the report\n' : '';
  const days = serviceDays(info, graph);
  if (days === undefined) return '  timetables without a day on which anything runs\n';
  const ended = (info.transitServiceEnds ?? 0) <= Date.now() / 1000 ? ', which have ended' : '';
  return `  timetables from ${days}${ended}\n`;
}

/** A hint about the cause when no stop has a street nearby. */
function strandedText(stops: number, issueCounts: BuildReport['issueCounts']): string {
  const count = (of: string) => issueCounts.find(({ code }) => code === of)?.count ?? 0;
  if (stops === 0 || count('stop-unlinked') < stops) return '';
  const island =
    count('street-island') > 0 ? ', or the map is so small that its streets count as an island (street-island)' : '';
  return `  no stop is near a walkable street: streets and timetables are of different places${island}\n`;
}

/** Removes what builds of this graph that were killed have left; such a file may be as large as the graph. */
async function removeUnfinishedGraphs(target: string): Promise<void> {
  const { dir, name } = path.parse(target);
  // The engine puts the name of its process in the place of the extension.
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  await removeUnfinished(dir, new RegExp(`^${escaped}\\.tmp-${WRITER_PATTERN}-\\d+$`));
}

/** A few lines on what was built, how fast, and what was wrong with the inputs. */
function summary(report: BuildReport, seconds: number, content: string): string {
  const { info, issueCounts } = report;
  const megabytes = (report.bytes / 1e6).toFixed(1);
  const rate = Math.round((info.vertices + info.edges) / Math.max(seconds, 0.001));
  const issues = issueCounts.map(({ code, count }) => `  ${count} × ${code}\n`).join('');
  return (
    `${report.path}: ${megabytes} MB in ${seconds.toFixed(1)} s (${rate} vertices and edges/s)\n` +
    `  ${contentsText(info)}\n` +
    `${content}${strandedText(info.stops, issueCounts)}` +
    (issues === ''
      ? ''
      : `what was dropped or repaired, in ${path.join('report', 'report.json')} with file and line:\n${issues}`)
  );
}
