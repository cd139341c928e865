/** The graph that a command opens. */

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { openGraph } from '../../src/cli/graph-argument.js';
import { loadAddon } from '../../src/native/addon.js';
import { MAIN } from '../support/command.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const onUnix = process.platform === 'win32' ? test.skip : test;

onUnix('a pipe or a directory in place of a graph file is an error and does not block', async (t) => {
  const directory = await temporaryDirectory(t);
  const [pipe, folder] = [path.join(directory, 'pipe.obj'), path.join(directory, 'folder.obj')];
  await promisify(execFile)('mkfifo', [pipe]);
  await mkdir(folder);
  const reasons: [string, string][] = [
    [pipe, 'not a Trestle graph file'],
    [folder, 'is a directory; give the graph file in it'],
  ];
  for (const [file, reason] of reasons) {
    const args = [MAIN, 'plan', '--graph', file, '--from', '1,1', '--to', '2,2'];
    const failed: any = await t.throwsAsync(promisify(execFile)(process.execPath, args, { timeout: 120_000 }));
    t.false(failed.killed, file);
    t.true(failed.stderr.includes(`${file}: ${reason}`), failed.stderr);
  }
});

test('a scenario that cannot be used leaves no graph open', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const scenario = path.join(await temporaryDirectory(t), 'scenario.json');
  await writeFile(scenario, JSON.stringify({ modifications: [{ type: 'remove-trip', routeId: ['nowhere:1'] }] }));
  const { Graph } = await loadAddon();
  const { dispose } = Graph.prototype;
  const disposed = new Set<unknown>();
  t.teardown(() => Object.assign(Graph.prototype, { dispose }));
  Graph.prototype.dispose = function () {
    disposed.add(this);
    dispose.call(this);
  };
  await t.throwsAsync(openGraph(town.file, scenario), { message: /modifications\[0\]/ });
  t.is(disposed.size, 2);
});
