import { readFile, writeFile } from 'node:fs/promises';
import test from 'ava';
import { configurationReference } from './configuration-page.js';

const PAGE = new URL('../../../docs/configuration.md', import.meta.url);

test('docs/configuration.md matches the tables; UPDATE_DOCS=1 writes it', async (t) => {
  if (process.env.UPDATE_DOCS) await writeFile(PAGE, configurationReference());
  t.is(await readFile(PAGE, 'utf8'), configurationReference());
});
