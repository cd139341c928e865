/** Makes the town anew: `npm run build:ts && node dist/scripts/sample-town/main.js src/sample`. */

import { parseArgs } from 'node:util';
import { writeSample } from './index.js';
import { isTownSize, TOWN_SIZES } from './town-size.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, size: { type: 'string', default: 'town' } },
});
const [directory] = positionals;
const seed = Number(values.seed);
if (directory === undefined || !Number.isSafeInteger(seed) || !isTownSize(values.size)) {
  throw new Error(`Usage: main.js DIRECTORY [--seed INTEGER] [--size ${Object.keys(TOWN_SIZES).join('|')}]`);
}
await writeSample(directory, { seed, size: values.size });
