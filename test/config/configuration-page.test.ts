import { readFile, writeFile } from 'node:fs/promises';
import test from 'ava';
import { configurationReference, SEARCH_DEFAULTS } from './configuration-page.js';

const PAGE = new URL('../../../docs/configuration.md', import.meta.url);
const ENGINE = new URL('../../../crates/model/src/request.rs', import.meta.url);

test('docs/configuration.md matches the tables; UPDATE_DOCS=1 writes it', async (t) => {
  if (process.env.UPDATE_DOCS) await writeFile(PAGE, configurationReference());
  t.is(await readFile(PAGE, 'utf8'), configurationReference());
});

test('defaults of searches on the page are those of the engine', async (t) => {
  const source = await readFile(ENGINE, 'utf8');
  for (const [name, [byDefault]] of Object.entries(SEARCH_DEFAULTS)) {
    if (typeof byDefault !== 'number') continue;
    const member = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const written = new RegExp(`pub ${member}: \\w+ = ([\\d_.]+),`).exec(source)?.[1]?.replaceAll('_', '');
    t.is(Number(Number(written).toFixed(4)), byDefault, name);
  }
});
