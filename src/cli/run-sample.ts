/** What `trestle sample` does. */

import { type SampleOptions, writeSample } from '../sample/index.js';
import type { TownSize } from '../sample/town-size.js';
import { CommandFailure, EXIT } from './failure.js';
import { progressDisplay } from './progress.js';

/** The options of the command. */
export interface SampleArguments {
  seed: number;
  size: TownSize;
  format: 'pbf' | 'xml';
  from?: string;
  to?: string;
  pointSets?: string;
}

/** Writes a town and says what is in it. */
export async function sample(directory: string, args: SampleArguments): Promise<void> {
  const started = performance.now();
  const display = await progressDisplay();
  const report = await writeSample(directory, sampleOptions(args), display.listener).finally(display.stop);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { nodes, ways, relations, stops, routes, files } = report;
  console.log(`${nodes} nodes, ${ways} ways, ${relations} relations, ${stops} stops, ${routes} routes in ${seconds} s`);
  for (const file of files) console.log(`  ${file}`);
}

function sampleOptions({ seed, size, format, from, to, pointSets }: SampleArguments): SampleOptions {
  if ((from === undefined) !== (to === undefined)) {
    throw new CommandFailure('--from and --to go together', EXIT.usage);
  }
  if (from !== undefined && to !== undefined && from > to) throw new CommandFailure('--from is after --to', EXIT.usage);
  return {
    seed,
    size,
    format,
    ...(from !== undefined && to !== undefined ? { period: { from, to } } : {}),
    ...(pointSets !== undefined ? { pointSets } : {}),
  };
}
