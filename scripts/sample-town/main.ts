/** Makes the town again: `npm run build:ts && node dist/scripts/sample-town/main.js src/sample --shipped`. */

import { parseArgs } from 'node:util';
import { writeSample } from './index.js';
import { writeShipped } from './shipped.js';
import { isTownSize, TOWN_SIZES } from './town-size.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    size: { type: 'string', default: 'town' },
    shipped: { type: 'boolean', default: false },
  },
});
const [directory] = positionals;
const seed = Number(values.seed);
if (directory === undefined || !Number.isSafeInteger(seed) || !isTownSize(values.size)) {
  throw new Error(
    `Usage: main.js DIRECTORY [--seed INTEGER] [--size ${Object.keys(TOWN_SIZES).join('|')}] [--shipped]`,
  );
}
const write = values.shipped ? writeShipped : writeSample;
await write(directory, { seed, size: values.size });
