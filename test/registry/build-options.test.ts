/** What a build reads from the configuration beside its inputs. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { formatWarning } from '../../src/config/diagnostic.js';
import { configuredBuild } from '../../src/registry/build-options.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const ROUTER_CONFIG = '{ timeout: 7, unknown: 1 } // ours';

async function read(t: ExecutionContext, files: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, `${name}.json`), text);
  const { options, warnings } = await configuredBuild(directory);
  return { options, warnings: warnings.map(formatWarning).map((text) => path.basename(text)) };
}

test('the configuration of the router is stored in the graph unless that is switched off', async (t) => {
  const stored = await read(t, { 'router-config': ROUTER_CONFIG });
  t.is(stored.options.routerConfig, ROUTER_CONFIG);
  t.deepEqual(stored.warnings, ['router-config.json:1:15: unknown: unknown key, ignored']);
  const off = await read(t, { 'router-config': ROUTER_CONFIG, 'build-config': '{ embedRouterConfig: false }' });
  t.is(off.options.routerConfig, undefined);
  t.deepEqual(off.warnings, []);
});

test('the configuration of the build is stored in the graph as plain JSON', async (t) => {
  t.is((await read(t, {})).options.buildConfig, undefined);
  const { options } = await read(t, { 'build-config': '{ subwayAccessTime: 1.5, /* minutes */ }' });
  t.like(JSON.parse(String(options.buildConfig)), { subwayAccessTime: 1.5 });
  t.is(options.subwayAccessSeconds, 90);
});
