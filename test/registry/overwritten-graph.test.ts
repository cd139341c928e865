/** Graph files that another program writes to while they are served. */

import { copyFile, mkdir, open, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { addonMaker } from '../../src/registry/addon-maker.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { spooled } from '../support/spooled.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

/** The ways in which a file may be changed in place. */
const DAMAGES: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'cut off': (file) => truncate(file, 100),
  'filled with zeros': async (file) => {
    const { size } = await stat(file);
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(size));
    await handle.close();
  },
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`a graph whose file is ${name} is still served`, async (t) => {
    const feed = await buildSmallFeed();
    t.teardown(() => feed.remove());
    const graphs = await temporaryDirectory(t);
    const file = path.join(graphs, 'r', 'Graph.obj');
    await mkdir(path.dirname(file));
    await copyFile(feed.file, file);
    const app = await startApp(t, [], { maker: await addonMaker(), flags: { graphs, insecure: true } });
    t.teardown(() => app.deps.registry.evictAll());
    t.is((await app.request('/routers/r', { method: 'PUT' })).status, 201);
    const before = await app.json('/routers/r');
    t.is(Math.floor(before.buildTime), Math.floor((await stat(file)).mtimeMs));
    await damage(file);
    const stops = await app.json('/routers/r/index/stops');
    t.is(stops.length, 3);
    const plan = await app.get(
      '/routers/r/plan?fromPlace=41.000,-8.600&toPlace=41.020,-8.600&date=2024-01-08&time=07:55',
    );
    t.is(plan.status, 200);
    t.truthy(((await plan.json()) as any).plan.itineraries[0]);
    // The damaged file is refused, and the graph stays in use.
    t.is((await app.request('/routers/r', { method: 'PUT' })).status, 404);
    t.is((await app.json('/routers/r/index/stops')).length, 3);
    t.deepEqual(await spooled(graphs), []);
  });
}
