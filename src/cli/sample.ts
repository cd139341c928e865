import { Command, InvalidArgumentError, Option } from 'commander';
import { type SampleOptions, TOWN_SIZES, type TownSize, writeSample } from '../sample/index.js';

interface SampleArguments {
  seed: number;
  size: TownSize;
  format: 'pbf' | 'xml';
  from?: string;
  to?: string;
  pointSets?: string;
  quiet?: boolean;
}

/** `trestle sample DIR`: writes a synthetic town, the same one for the same seed and size. */
export function sampleCommand(): Command {
  return new Command('sample')
    .description('write a synthetic town (streets, timetables, elevation, point set) as inputs of a build')
    .argument('<directory>', 'where the files go')
    .option('--seed <number>', 'another seed is another town', parseSeed, 1)
    .option(
      '--size <size>',
      `${Object.keys(TOWN_SIZES).join(', ')}, or an approximate number of street vertices`,
      parseSize,
      'town',
    )
    .addOption(new Option('--format <format>', 'format of the street map').choices(['pbf', 'xml']).default('pbf'))
    .option('--from <date>', 'first day served (yyyy-mm-dd)', parseDate)
    .option('--to <date>', 'last day served (yyyy-mm-dd)', parseDate)
    .option('--pointSets <directory>', 'where the point set goes (default: pointsets in the directory)')
    .option('--quiet', 'print nothing')
    .action(runSample);
}

async function runSample(directory: string, args: SampleArguments, command: Command): Promise<void> {
  if ((args.from === undefined) !== (args.to === undefined)) command.error('--from and --to go together');
  if (args.from && args.to && args.from > args.to) command.error('--from is after --to');
  const options: SampleOptions = { seed: args.seed, size: args.size, format: args.format };
  if (args.from && args.to) options.period = { from: args.from, to: args.to };
  if (args.pointSets) options.pointSets = args.pointSets;

  const started = performance.now();
  const report = await writeSample(directory, options, args.quiet ? undefined : printProgress);
  if (args.quiet) return;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${report.nodes} nodes, ${report.ways} ways, ${report.relations} relations, ${report.stops} stops, ${report.routes} routes in ${seconds} s`,
  );
  for (const file of report.files) console.log(`  ${file}`);
}

function printProgress(step: string, fraction: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(
    `\r${step.padEnd(20)} ${String(Math.round(fraction * 100)).padStart(3)} %${fraction === 1 ? '\n' : ''}`,
  );
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new InvalidArgumentError('Not an integer.');
  return seed;
}

function parseSize(text: string): TownSize {
  if (text in TOWN_SIZES) return text as keyof typeof TOWN_SIZES;
  const vertices = Number(text);
  if (!Number.isFinite(vertices) || vertices <= 0)
    throw new InvalidArgumentError('Neither a size nor a positive number.');
  return vertices;
}

function parseDate(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  const valid =
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  if (!valid) throw new InvalidArgumentError('Not a date like 2026-11-21.');
  return text;
}
