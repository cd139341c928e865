import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';

const MODULE = new URL('../../src/cli/heap-growth.js', import.meta.url).href;

/** Keeps 24 MB of objects, replaces each of them several times, and prints the largest size of the heap in bytes. */
const TURN_OVER = `
  const { limitHeapGrowth } = await import('${MODULE}');
  limitHeapGrowth();
  const kept = Array.from({ length: 60_000 }, (_, i) => new Array(50).fill(i));
  gc();
  let most = 0;
  for (let i = 0; i < 300_000; i++) {
    kept[i % kept.length] = new Array(50).fill(i);
    if (i % 250 > 0) continue;
    most = Math.max(most, process.memoryUsage().heapUsed);
    await new Promise(setImmediate);
  }
  console.log(most);
`;

test('the heap is collected before it has tripled, as it would without a limit', async (t) => {
  const flags = ['--expose-gc', '--max-semi-space-size=1', '--input-type=module', '--eval', TURN_OVER];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  t.true(Number(stdout) < 3 * 24e6, `${stdout.trim()} bytes`);
});
