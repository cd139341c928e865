import { readdir } from 'node:fs/promises';
import test from 'ava';
import { sampleCommand } from '../../src/cli/sample.js';
import { temporaryDirectory } from './support.js';

async function run(...args: string[]): Promise<void> {
  const command = sampleCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  await command.parseAsync(args, { from: 'user' });
}

test.serial('the command writes the inputs of a build', async (t) => {
  const directory = await temporaryDirectory(t);
  await run(directory, '--size', 'village', '--seed', '3', '--from', '2030-01-01', '--to', '2030-06-30');
  t.deepEqual((await readdir(directory)).sort(), [
    'city.gtfs.zip',
    'elevation.tif',
    'pointsets',
    'region.gtfs.zip',
    'streets.osm.pbf',
  ]);
});

const WRONG: Array<[args: string[], message: RegExp]> = [
  [['--size', 'huge'], /name of a size or a positive number/],
  [['--size', '-5'], /name of a size or a positive number/],
  [['--seed', '1.5'], /whole number/],
  [['--format', 'o5m'], /Allowed choices are pbf, xml/],
  [['--from', '2026-02-30', '--to', '2026-03-30'], /date like/],
  [['--from', '2026-02-01'], /go together/],
  [['--from', '2026-02-01', '--to', '2025-02-01'], /after --to/],
];

for (const [args, message] of WRONG) {
  test.serial(`${args.join(' ')} is refused`, async (t) => {
    await t.throwsAsync(run(await temporaryDirectory(t), ...args), { message });
  });
}
