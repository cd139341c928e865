import test from 'ava';
import { benchCommand } from '../../src/cli/bench.js';

async function run(...args: string[]): Promise<void> {
  const command = benchCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  await command.parseAsync(['--no-http', ...args], { from: 'user' });
}

const WRONG: Array<[args: string[], message: RegExp]> = [
  [['--kinds', 'plan,teleport'], /There is no kind teleport/],
  [['--workers', '1,0'], /from 1 to 1000/],
  [['--count', 'many'], /whole number/],
  [['--set', 'novalue'], /expected name=value/],
  [['--graphs', '/nonexistent'], /no stops found for router default/],
];

for (const [args, message] of WRONG) {
  test(`${args.join(' ')} is refused`, async (t) => {
    await t.throwsAsync(run(...args), { message });
  });
}
