/** The page about many hosts says what the files beside it say. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const file = (name: string) => readFile(path.join(ROOT, name), 'utf8');

test('the pictures are the ones that the script draws', async (t) => {
  const { PICTURES } = await import(new URL('../../../scripts/draw-deployments.mjs', import.meta.url).href);
  for (const [name, text] of Object.entries(PICTURES)) t.is(await file(`docs/pictures/${name}`), text as string, name);
});

test('the page explains every alert, and no other', async (t) => {
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => String(name)).sort();
  const rules = names(await file('docs/deploy/chart/files/alerts.yaml'), /- alert: (\w+)/g);
  t.deepEqual(names(await file('docs/deploy/many-hosts.md'), /`(Trestle[A-Z]\w+)`/g), rules);
});

test('every alert is fired by a test of the rules', async (t) => {
  const rules = [...(await file('docs/deploy/chart/files/alerts.yaml')).matchAll(/- alert: (\w+)/g)];
  const fired = await file('test/deploy/alerts.test.yaml');
  for (const [, name] of rules)
    t.regex(fired, new RegExp(`alertname: ${name}\\n +eval_time: \\d+m\\n +exp_alerts:`), name);
});
