import { PassThrough } from 'node:stream';
import test from 'ava';
import { progressDisplay, restOf } from '../../src/cli/progress.js';

/** What a terminal of this width gets, without the codes that move the cursor. */
async function shown(steps: ReadonlyArray<readonly [step: string, fraction: number]>): Promise<string> {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  const display = await progressDisplay(terminal as unknown as NodeJS.WriteStream);
  for (const [step, fraction] of steps) display.listener(step, fraction);
  display.stop();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
  return String(terminal.read()).replace(/\x1b\[[\d;?]*[A-Za-z]|\x1b[78]/g, '\n');
}

test('a bar shows the share and the rate of each step, and nothing that is not known', async (t) => {
  const lines = (
    await shown([
      ['links', 0],
      ['links', 0.5],
      ['save', 0],
      ['save', 1],
    ])
  ).split('\n');
  const bars = lines.filter((line) => line.includes('%'));
  t.true(bars.length >= 4, bars.join('\n'));
  for (const bar of bars) t.regex(bar, /^(links|save) {10,} [=-]{30} \d+% \| [\d.]+%\/s \| \d+s\s*$/);
});

test('the rest of a step is estimated once it has taken a while', (t) => {
  t.is(restOf(0.5, 2000), '');
  t.is(restOf(0, 60_000), '');
  t.is(restOf(1, 60_000), '');
  t.is(restOf(0.25, 4000), ' | 12 s left');
  t.is(restOf(0.1, 60_000), ' | 9 min left');
});
