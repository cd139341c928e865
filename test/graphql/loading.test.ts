/** The library of queries is large; other requests are served while it loads. */

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'ava';
import { loadGraphql } from '../../src/http/graphql-library.js';

const require = createRequire(import.meta.url);
const LIBRARY = path.dirname(require.resolve('graphql'));

/** Files of the library that were loaded so far. */
const loaded = () => Object.keys(require.cache).filter((file) => file.startsWith(LIBRARY + path.sep)).length;

test('no turn loads a large part of the library', async (t) => {
  t.is(loaded(), 0);
  let done = false;
  let before = 0;
  let most = 0;
  const look = () => {
    most = Math.max(most, loaded() - before);
    before = loaded();
    if (!done) setImmediate(look);
  };
  look();
  const graphql = await loadGraphql();
  done = true;
  t.is(typeof graphql.answer, 'function');
  const files = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  t.true(loaded() > files.length / 2, `${loaded()} of ${files.length} files`);
  t.true(most < loaded() / 3, `${most} of ${loaded()} files in one turn`);
});

test('it is loaded once', async (t) => {
  t.is(await loadGraphql(), await loadGraphql());
});
