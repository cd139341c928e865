/** Runs `trestle bench --suite scale`. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { BuildMeasurements, RequestMeasurements, ScaleRow } from '../../bench/scale/measurement.js';
import { CHART_FILE, scaleMarkdown, scaleSvg } from '../../bench/scale/report.js';
import { quartersFor } from '../../bench/scale/sizes.js';
import { counted } from '../../counted.js';
import { makeDirectory } from '../../storage/directory.js';
import { makeTemporary } from '../../storage/unfinished.js';
import { CommandFailure, EXIT } from '../failure.js';

/** The generator of sample cities, which is not part of the package. */
const GENERATOR = fileURLToPath(new URL('../../../scripts/sample-town/index.js', import.meta.url));
const PROCESS = fileURLToPath(new URL('../../bench/scale/measuring-process.js', import.meta.url));
/** A day of the sample's timetables. */
const DATE = '2026-11-25';
const MOST_OUTPUT_BYTES = 16 << 20;

interface Generator {
  writeSample(directory: string, options: { quarters: number; stored: boolean }): Promise<void>;
}

interface ScaleArguments {
  sizes: readonly number[];
  /** Folder for the cities; by default one for temporary files. */
  scratch?: string;
  /** Folder for the report. */
  report: string;
  /** Pairs of each kind of request. */
  count: number;
}

/** Makes, builds and searches a sample city of each size, one after the other, and writes the report after each. */
export async function scaleSuite(args: ScaleArguments): Promise<void> {
  if (!existsSync(GENERATOR)) {
    throw new CommandFailure(
      'the suite makes its cities with a tool that the package does not contain: run it in a clone of the repository, after npm run build:ts',
      EXIT.usage,
    );
  }
  const generator: Generator = await import(pathToFileURL(GENERATOR).href);
  await makeDirectory(args.report);
  const scratch = args.scratch ?? (await makeTemporary());
  const rows: ScaleRow[] = [];
  try {
    for (const size of args.sizes) {
      rows.push(await measure(generator, size, path.join(scratch, `city-${size}`), args.count));
      await writeFile(path.join(args.report, 'scale.md'), scaleMarkdown(rows));
      await writeFile(path.join(args.report, CHART_FILE), scaleSvg(rows));
    }
  } finally {
    if (args.scratch === undefined) await rm(scratch, { recursive: true, force: true });
  }
  process.stdout.write(scaleMarkdown(rows));
}

async function measure(generator: Generator, size: number, directory: string, count: number): Promise<ScaleRow> {
  try {
    printStep(size, 'making the city');
    await generator.writeSample(directory, { quarters: quartersFor(size), stored: false });
    printStep(size, 'building');
    const build: BuildMeasurements = await work('build', directory);
    printStep(size, `built in ${build.seconds.toFixed(1)} s; sending requests`);
    const ask: RequestMeasurements = await work('ask', directory, String(count), DATE);
    return { build, ask };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function work<T>(...args: readonly string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, ...args], {
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  return JSON.parse(stdout);
}

function printStep(size: number, what: string): void {
  process.stderr.write(`${counted(size, 'vertex', 'vertices')}: ${what}\n`);
}
