import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { fileVersion, isUploaded, saveGraphFile } from '../../src/registry/graph-file.js';
import { removeUnfinished, unfinishedGraphName } from '../../src/storage/unfinished.js';
import { PLACE, WRITER } from '../../src/storage/writer.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('saving makes the directory, replaces the file, keeps one previous state and notes that it was uploaded', async (t) => {
  const graphs = await temporaryDirectory(t);
  for (const text of ['one', 'two', 'three']) {
    const sent = path.join(graphs, 'sent');
    await writeFile(sent, text);
    await saveGraphFile(sent, graphs, 'a');
  }
  const directory = path.join(graphs, 'a');
  t.deepEqual((await readdir(directory)).sort(), ['Graph.obj', 'Graph.obj.bak', 'Graph.uploaded.json']);
  const file = path.join(directory, 'Graph.obj');
  t.true(await isUploaded(file, await fileVersion(file)));
  t.is(await readFile(file, 'utf8'), 'three');
  t.is(await readFile(path.join(directory, 'Graph.obj.bak'), 'utf8'), 'two');
  await writeFile(file, 'built here since then');
  t.false(await isUploaded(file, await fileVersion(file)));
});

test('half-written graphs of processes that are gone are removed, those of others stay', async (t) => {
  const directory = await temporaryDirectory(t);
  const mine = `Graph.obj.tmp-${WRITER}-0`;
  const built = path.basename(unfinishedGraphName('Graph.obj'));
  // Greater than any process number of the system.
  const gone = `Graph.obj.tmp-99999999-${PLACE}-0`;
  const builtBefore = built.replace(`-${process.pid}-`, '-99999999-');
  t.not(built, builtBefore, 'each process has a name of its own');
  t.not(built, path.basename(unfinishedGraphName('Graph.obj')), 'so has each build of a process');
  for (const name of [mine, built, builtBefore, gone, 'Graph.obj', 'town.pbf.tmp-99999999'])
    await writeFile(path.join(directory, name), '');
  await removeUnfinished(directory);
  t.deepEqual((await readdir(directory)).sort(), ['Graph.obj', mine, built, 'town.pbf.tmp-99999999'].sort());
});
