/** `trestle sample`: writes a synthetic town as inputs of a build. */

import { Command, InvalidArgumentError, Option } from 'commander';
import { TOWN_SIZES, type TownSize } from '../sample/town-size.js';
import type { SampleArguments } from './run-sample.js';

/** The command; the same seed and size give the same town. */
export function sampleCommand(): Command {
  const sizes = `${Object.keys(TOWN_SIZES).join(', ')}, or an approximate number of street vertices`;
  return new Command('sample')
    .description('write a synthetic town (streets, timetables, elevation, point set) as inputs of a build')
    .argument('<directory>', 'where the files go')
    .option('--seed <number>', 'another seed is another town', parseSeed, 1)
    .option('--size <size>', sizes, parseSize, 'town')
    .addOption(new Option('--format <format>', 'format of the street map').choices(['pbf', 'xml']).default('pbf'))
    .option('--from <date>', 'first day served (yyyy-mm-dd)', parseDate)
    .option('--to <date>', 'last day served (yyyy-mm-dd)', parseDate)
    .option('--pointSets <directory>', 'where the point set goes (default: pointsets in the directory)')
    .action(async (directory: string, args: SampleArguments) => {
      const { sample } = await import('./run-sample.js');
      await sample(directory, args);
    });
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new InvalidArgumentError('It has to be a whole number.');
  return seed;
}

function parseSize(text: string): TownSize {
  if (Object.hasOwn(TOWN_SIZES, text)) return text as keyof typeof TOWN_SIZES;
  const vertices = Number(text);
  if (!Number.isFinite(vertices) || vertices <= 0) {
    throw new InvalidArgumentError('It has to be the name of a size or a positive number.');
  }
  return vertices;
}

function parseDate(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  const valid = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time);
  if (!valid || !new Date(time).toISOString().startsWith(text)) {
    throw new InvalidArgumentError('It has to be a date like 2026-11-21.');
  }
  return text;
}
