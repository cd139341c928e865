import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { RouterControl } from '../../src/registry/control.js';
import { RouterRegistry } from '../../src/registry/registry.js';
import { startRouters } from '../../src/registry/start.js';
import { ReloadWatch, scanOnce, WATCH_PERIOD_MS } from '../../src/registry/watch.js';
import { ProcessValues } from '../../src/sharing/process-values.js';
import { NamedGraphMaker, nameOf } from '../support/named-graphs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

async function setUp(t: ExecutionContext) {
  const graphs = await temporaryDirectory(t);
  const maker = new NamedGraphMaker();
  const registry = new RouterRegistry({ defaultRouterId: '', anyRouterAsDefault: true, loadWaitMs: 100 });
  const control = new RouterControl(
    registry,
    maker,
    { graphs, buildOnDemand: true, uploadedUpdaters: false },
    { own: new ProcessValues() },
  );
  const write = async (id: string, text: string, ageSeconds = 60, file = 'Graph.obj') => {
    await mkdir(path.join(graphs, id), { recursive: true });
    const written = path.join(graphs, id, file);
    await writeFile(written, text);
    const then = Date.now() / 1000 - ageSeconds;
    await utimes(written, then, then);
  };
  const names = () => registry.list().map(({ id, graph }) => `${id}=${nameOf(graph)}`);
  const log: any[] = [];
  const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line)) });
  const start = (config = {}) =>
    startRouters({
      config: {
        routers: [],
        graphs,
        autoScan: false,
        autoReload: false,
        buildOnDemand: true,
        followSeconds: 10,
        ...config,
      },
      registry,
      control,
      logger,
    });
  return { graphs, maker, registry, control, write, names, start, log };
}

for (const [autoScan, autoReload, expected] of [
  [true, false, 'a=one,b=two'],
  [false, true, 'a=other'],
  [true, true, 'a=other,b=two'],
  [false, false, 'a=one'],
] as const) {
  test.serial(
    `a server with autoScan ${autoScan} and autoReload ${autoReload} looks until it is stopped`,
    async (t) => {
      const { setTimeout } = globalThis;
      const sooner = (work: () => void, ms?: number) => setTimeout(work, ms === WATCH_PERIOD_MS ? 1 : ms);
      globalThis.setTimeout = sooner as typeof setTimeout;
      t.teardown(() => {
        globalThis.setTimeout = setTimeout;
      });
      const { write, names, start } = await setUp(t);
      await write('a', 'graph one', 120);
      const stop = await start({ routers: ['a'], autoScan, autoReload });
      await write('b', 'graph two');
      await write('a', 'graph other');
      await until(() => names().join() === expected, names);
      await pause(50);
      t.is(names().join(), expected);
      stop();
      await pause(50);
      await write('c', 'graph three');
      await write('a', 'graph last', 30);
      await pause(50);
      t.is(names().join(), expected);
    },
  );
}

test('auto-scan registers what is new and evicts nothing', async (t) => {
  const { graphs, registry, control, write, names } = await setUp(t);
  await write('a', 'graph one');
  await write('', 'graph root');
  await write('inputs', '', 60, 'town.pbf');
  await scanOnce(graphs, registry, control);
  t.deepEqual(names(), ['=root', 'a=one']);
  await write('b', 'graph two');
  await write('a', 'graph changed');
  await scanOnce(graphs, registry, control);
  t.deepEqual(names(), ['=root', 'a=one', 'b=two']);
});

test('auto-reload follows a file that has changed and is no longer being written', async (t) => {
  const { registry, control, write, names } = await setUp(t);
  await write('a', 'graph one', 120);
  await control.put('a');
  const watch = new ReloadWatch(registry, control);
  await watch.look();
  const [before] = registry.list();
  t.is(before && nameOf(before.graph), 'one');
  await write('a', 'graph two', 0);
  await watch.look();
  t.deepEqual(names(), ['a=one'], 'a young file may still be being written');
  await write('a', 'graph two', 60);
  await watch.look();
  t.deepEqual(names(), ['a=two']);
  const [after] = registry.list();
  await watch.look();
  t.is(registry.list()[0]?.generation, after?.generation, 'an unchanged file is left alone');
  await write('a', 'graph three', -3600);
  await watch.look();
  t.deepEqual(names(), ['a=three'], 'a file of a machine whose clock is ahead');
});

test('auto-reload keeps the old graph when the file is bad or missing, and does not try forever', async (t) => {
  const { registry, control, write, names, maker } = await setUp(t);
  await write('a', 'graph one', 120);
  await control.put('a');
  const watch = new ReloadWatch(registry, control);
  await write('a', 'junk', 60);
  let opens = 0;
  const open = maker.open.bind(maker);
  maker.open = (file) => {
    opens += 1;
    return open(file);
  };
  await watch.look();
  await watch.look();
  t.is(opens, 1);
  t.deepEqual(names(), ['a=one']);
});

test('start loads the configured routers, or else all in the directory', async (t) => {
  const named = await setUp(t);
  for (const id of ['a', 'b', 'c']) await named.write(id, `graph ${id}`);
  await named.start({ routers: ['c', 'a', 'missing'] });
  t.deepEqual(named.names(), ['c=c', 'a=a']);
  const all = await setUp(t);
  await all.write('b', 'graph b');
  await all.write('town', '', 60, 'town.pbf');
  await all.start();
  t.deepEqual(all.names(), ['b=b', 'town=built1']);
});

test('a directory that cannot be read is named in the log, and the others are loaded', async (t) => {
  const { graphs, write, names, start, log } = await setUp(t);
  await write('b', 'graph b');
  await symlink('a', path.join(graphs, 'a'));
  await start();
  t.deepEqual(names(), ['b=b']);
  const leftOut = log.filter(({ msg }) => /^directory left out: it cannot be read: ELOOP: /.test(msg));
  t.deepEqual(
    leftOut.map(({ directory }) => path.relative(graphs, directory)),
    ['a'],
  );
});

test('directories of graphs that cannot be routers are named in the log', async (t) => {
  const { graphs, write, names, start, log } = await setUp(t);
  await write('a', 'graph a');
  await write('New York', 'graph b');
  await write('v1.2', '', 60, 'town.pbf');
  await write('my notes', '', 60, 'notes.txt');
  await write('.old', 'graph c');
  await start();
  t.deepEqual(names(), ['a=a']);
  const leftOut = log.filter(({ msg }) => /^directory left out: ids of routers/.test(msg));
  t.deepEqual(
    leftOut.map(({ directory }) => path.relative(graphs, directory)),
    ['New York', 'v1.2'],
  );
});
