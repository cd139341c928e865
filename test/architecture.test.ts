/** The layers of ARCHITECTURE.md, checked: who may import whom in `src`, and which crates may depend on which. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

import { importsOf } from './rust-modules.js';

/** The repository; tests run from `dist/test`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A folder of `src` and what it may import besides the files at the top; a name with a slash is one file, `type `
 * allows its types only.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  native: [],
  storage: [],
  tracing: [],
  config: ['storage', 'native'],
  sample: [],
  serialization: [
    'native',
    'type analysis/point-set',
    'type updaters/rental-station',
    'type geocoding/external-geocoder',
    'type jobs/status',
  ],
  registry: ['storage', 'native', 'config', 'sharing'],
  publishing: ['storage', 'native', 'config', 'registry'],
  sharing: ['storage'],
  alerts: ['storage', 'native', 'sharing'],
  scenarios: ['storage', 'native', 'config', 'registry', 'sharing'],
  jobs: ['tracing', 'storage', 'native', 'config', 'registry', 'analysis', 'scenarios', 'publishing', 'sharing'],
  scripting: [],
  updaters: ['native', 'config', 'registry', 'alerts', 'sharing'],
  analysis: ['storage', 'native', 'sharing'],
  geocoding: ['config'],
  graphql: ['native', 'registry', 'serialization'],
  http: [
    'storage',
    'native',
    'analysis',
    'config',
    'registry',
    'graphql',
    'serialization',
    'updaters',
    'alerts',
    'geocoding',
    'scenarios',
    'scripting',
    'jobs',
    'tracing',
  ],
  server: [
    'tracing',
    'storage',
    'native',
    'analysis',
    'config',
    'registry',
    'publishing',
    'sharing',
    'updaters',
    'alerts',
    'geocoding',
    'scenarios',
    'jobs',
    'http',
  ],
  bench: ['native', 'config', 'registry', 'http', 'serialization'],
  cli: [
    'tracing',
    'native',
    'analysis',
    'alerts',
    'geocoding',
    'config',
    'registry',
    'http',
    'serialization',
    'server',
    'bench',
    'scenarios',
    'scripting',
    'storage',
    'updaters',
    'publishing',
    'jobs',
  ],
};

/** Entries of packages besides the main one: no other files inside of a package are imported. */
const ENTRIES: ReadonlySet<string> = new Set(['csv-parse/sync', 'preact/hooks']);

const CRATES: Readonly<Record<string, readonly string[]>> = {
  model: [],
  // Only for tests: no other crate names it here.
  'shared-data': [],
  street: ['model'],
  transit: ['model'],
  engine: ['model', 'street', 'transit'],
  planner: ['model', 'street', 'transit', 'engine'],
  analysis: ['model', 'street', 'transit', 'engine'],
  map: ['model', 'street', 'transit', 'engine'],
  // The addon's option values are those of the layer they are for.
  node: ['model', 'street', 'transit', 'engine', 'planner', 'analysis', 'map'],
};

/** Files of a crate that may import each other, because their types are one thing. */
const ONE_THING: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
  engine: [
    // A graph holds the orders and clusters that look-ups answer with, and the rules of their columns compare with the
    // graph.
    ['graph', 'index/clusters', 'index/listing'],
  ],
  model: [
    // A column is declared with the rule for its values, which may be about texts and other columns.
    ['column', 'rules', 'strings'],
  ],
  street: [
    // Tables of the graph, and the rules of their columns, which compare with other columns of the graph.
    ['contraction', 'edge_index', 'elevation_profiles', 'graph', 'rules', 'search/index', 'search/stop_link_index'],
  ],
  transit: [
    // As in the model: columns and their rules.
    ['timetable/flex', 'timetable/rules'],
    // The ways in which a round enters vehicles.
    ['raptor/apart', 'raptor/entering', 'raptor/mc_raptor'],
    // A service keeps the least times that are worked out from it.
    ['raptor/active_service', 'raptor/least_times'],
    // The price of a journey is part of it.
    ['raptor/journey', 'raptor/pricing'],
    // Alternatives grow around the answer of a plan and are compared as they are shown.
    ['raptor/alternatives', 'raptor/compaction', 'raptor/plan'],
  ],
};

function sources(folder: string): string[] {
  // A layer of the table may still be without files.
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));
}

/** Imports of other files of `src`, also later ones: `folder/file` without extension, and whether only types come. */
function imports(file: string): Array<{ target: string; typesOnly: boolean }> {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)( type)?\s[^;]*?from '(\.[^']+)';/gms);
  const later = text.matchAll(/\bimport()\('(\.[^']+)'\)/g);
  return [...statements, ...later].map(([, type, specifier = '']) => {
    const target = path.relative(path.join(ROOT, 'src'), path.join(path.dirname(file), specifier));
    return { target: target.split(path.sep).join('/').replace(/\.js$/, ''), typesOnly: type === ' type' };
  });
}

test('packages are imported by their names', (t) => {
  for (const file of sources(path.join(ROOT, 'src'))) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom |\bimport\(|\bimport )'([^'.#][^']*)'/g,
    )) {
      const inside = name.split('/').length > (name.startsWith('@') ? 2 : 1);
      if (inside && !name.startsWith('node:') && !ENTRIES.has(name)) t.fail(`${path.relative(ROOT, file)}: ${name}`);
    }
  }
  t.pass();
});

for (const [layer, allowed] of Object.entries(LAYERS)) {
  test(`src/${layer} imports only what is below it`, (t) => {
    for (const file of sources(path.join(ROOT, 'src', layer))) {
      for (const { target, typesOnly } of imports(file)) {
        const folderOf = target.split('/')[0] ?? '';
        const fine =
          folderOf === layer ||
          target === folderOf ||
          allowed.includes(folderOf) ||
          allowed.includes(target) ||
          (typesOnly && allowed.includes(`type ${target}`));
        if (!fine) t.fail(`${path.relative(ROOT, file)} imports ${target}`);
      }
    }
    t.pass();
  });
}

/** Files of each other's imports, of their types as well, or folders: each group is a cycle. */
function cycles(importsOf: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reachable = (from: string): Set<string> => {
    const found = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of importsOf.get(at) ?? []) if (!found.has(next) && found.add(next)) open.push(next);
    }
    return found;
  };
  const reached = new Map([...importsOf.keys()].map((name) => [name, reachable(name)]));
  const groups = [...reached].flatMap(([name, all]) =>
    all.has(name) ? [[...all].filter((other) => reached.get(other)?.has(name)).sort()] : [],
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

test('cycles are found', (t) => {
  const names = new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] }).map(([k, v]) => [k, new Set(v)]));
  t.deepEqual(cycles(names), [['b', 'c']]);
});

test('neither files nor folders of src import each other in a circle', (t) => {
  const files = new Map<string, Set<string>>();
  const folders = new Map<string, Set<string>>();
  const folderOf = (name: string) => name.split('/')[0] ?? '';
  for (const file of sources(path.join(ROOT, 'src'))) {
    const name = path.relative(path.join(ROOT, 'src'), file).split(path.sep).join('/').replace(/\.ts$/, '');
    const targets = imports(file).map(({ target }) => target);
    files.set(name, new Set(targets));
    const known = folders.get(folderOf(name)) ?? new Set();
    folders.set(folderOf(name), known);
    for (const target of targets) if (folderOf(target) !== folderOf(name)) known.add(folderOf(target));
  }
  t.deepEqual(cycles(files), []);
  t.deepEqual(cycles(folders), []);
});

test('the files at the top of src know none of its folders', (t) => {
  const files = readdirSync(path.join(ROOT, 'src')).filter((name) => name.endsWith('.ts'));
  const targets = files.flatMap((name) => imports(path.join(ROOT, 'src', name)).map(({ target }) => target));
  t.deepEqual(
    targets.filter((target) => target.includes('/')),
    [],
  );
});

test('every folder of src is a layer of the table', (t) => {
  const folders = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).filter((name) => name !== 'client');
  t.deepEqual(
    names.filter((name) => !(name in LAYERS)),
    [],
  );
});

test('what all resources of the interface use knows none of them', (t) => {
  for (const file of sources(path.join(ROOT, 'src/http'))) {
    const name = path.relative(path.join(ROOT, 'src/http'), file);
    if (name === 'routes.ts' || name.startsWith('resources')) continue;
    for (const { target } of imports(file)) t.false(/^http\/(resources|routes)/.test(target), `${name}: ${target}`);
  }
});

test('the tabs of the client know neither each other nor the page around them', (t) => {
  const client = path.join(ROOT, 'src/client');
  const tabs = ['plan', 'explore', 'analyse', 'operate'];
  for (const folder of readdirSync(client, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    if (folder.name === 'app') continue;
    for (const file of sources(path.join(client, folder.name))) {
      for (const { target } of imports(file)) {
        const other = target.split('/')[1] ?? '';
        t.false(other !== folder.name && [...tabs, 'app'].includes(other), `${path.relative(ROOT, file)}: ${target}`);
      }
    }
  }
});

test('only src/native loads the addon', (t) => {
  for (const file of sources(path.join(ROOT, 'src'))) {
    const inside = path.relative(path.join(ROOT, 'src'), file).startsWith('native');
    if (!inside) t.false(/['"]#addon['"]/.test(readFileSync(file, 'utf8')), file);
  }
});

test('no panic leaves an exported function of the addon', (t) => {
  const files = readdirSync(path.join(ROOT, 'crates/node/src'), { recursive: true, encoding: 'utf8' });
  const exported = /#\[napi(?<options>\([^\]]*\))?\]\n(?:\s*(?:#\[|\/\/).*\n)*\s*pub (?:async )?fn (?<name>\w+)/g;
  let found = 0;
  for (const file of files.filter((name) => name.endsWith('.rs'))) {
    for (const { groups } of readFileSync(path.join(ROOT, 'crates/node/src', file), 'utf8').matchAll(exported)) {
      found += 1;
      t.true(groups?.options?.includes('catch_unwind') ?? false, `${file}: ${groups?.name}`);
    }
  }
  t.true(found > 50, 'the exports are found');
});

test('the server does without the languages and time zones of the runtime', (t) => {
  for (const file of sources(path.join(ROOT, 'src'))) {
    // The browser has them anyway; the bench sends requests to other servers, whose clocks no graph here knows.
    const isServer = !/^(client|bench)\b/.test(path.relative(path.join(ROOT, 'src'), file));
    if (isServer) t.notRegex(readFileSync(file, 'utf8'), /\bIntl\.|\.toLocale\w*\(/, file);
  }
});

test('only two places compute the cost of travel', (t) => {
  const knows = /^(street\/src\/cost\/|transit\/src\/raptor\/costs\.rs$|model\/|node\/)/;
  const name = '(?:(?:walk|bike)_speed|(?:walk|stairs|turn|wait)_reluctance|slope_(?:speed|work)_factor)';
  const reckons = new RegExp(`[*/] *(?:f64::from\\()?&?[\\w.]*\\b${name}\\b|\\b${name}\\)? *[*/]`);
  for (const file of readdirSync(path.join(ROOT, 'crates'), { recursive: true, encoding: 'utf8' })) {
    if (!/^\w+\/src\/.*\.rs$/.test(file) || knows.test(file) || /tests?(\/|\.rs$)/.test(file)) continue;
    const code = readFileSync(path.join(ROOT, 'crates', file), 'utf8').replaceAll(/\/\/.*/g, '');
    t.notRegex(code, reckons, file);
  }
});

test('every crate is in the tables, here and on the page', (t) => {
  const crates = readdirSync(path.join(ROOT, 'crates')).sort();
  const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  t.deepEqual(Object.keys(CRATES).sort(), crates);
  t.deepEqual([...page.matchAll(/^\| `crates\/([^`]+)` \|/gm)].map(([, name = '']) => name).sort(), crates);
});

for (const [crate, allowed] of Object.entries(CRATES)) {
  test(`the crate ${crate} depends only on ${allowed.join(', ') || 'none of the others'}`, (t) => {
    const manifest = readFileSync(path.join(ROOT, 'crates', crate, 'Cargo.toml'), 'utf8');
    const [dependencies = ''] = manifest.slice(manifest.indexOf('[dependencies]')).split(/^\[(?!dependencies)/m);
    const own = [...dependencies.matchAll(/^trestle-([\w-]+)/gm)].map(([, name]) => name ?? '');
    t.deepEqual(
      own.filter((name) => !allowed.includes(name)),
      [],
    );
    t.is(/^napi\b/m.test(dependencies), crate === 'node', 'napi');
  });
}

test('imports of Rust files are found', (t) => {
  const imports = importsOf(path.join(ROOT, 'crates/planner/src'));
  // By their own names, by those that a folder passes on, and within functions.
  t.true(imports.get('plan/sections')?.has('plan/access'));
  t.true(imports.get('plan/via')?.has('itinerary/section'));
  t.true(imports.get('profile/street')?.has('profile/fares'));
});

for (const crate of Object.keys(CRATES)) {
  test(`no files of the crate ${crate} import each other but those that are one thing`, (t) => {
    const found = cycles(importsOf(path.join(ROOT, 'crates', crate, 'src')));
    const byName = (groups: ReadonlyArray<readonly string[]>) => groups.map((group) => group.join(' ')).sort();
    t.deepEqual(byName(found), byName(ONE_THING[crate] ?? []));
  });
}

test('the code map of ARCHITECTURE.md has every file at the top of src', (t) => {
  const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith('| `src/*.ts` |')) ?? '';
  t.deepEqual(
    [...row.matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name).sort(),
    readdirSync(path.join(ROOT, 'src'))
      .filter((name) => name.endsWith('.ts'))
      .sort(),
  );
});

test('the steps of ARCHITECTURE.md are existing files and folders', (t) => {
  const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const sections = page.split('\n## ').filter((section) => /^.*, step by step\n/.test(section));
  t.deepEqual(
    sections.map((section) => section.match(/^\d\. /gm)?.length),
    [7, 7, 6, 7, 7, 6, 7, 6, 7, 7, 5],
  );
  for (const section of sections) {
    for (const [, file = ''] of section.matchAll(/`((?:src|crates)\/[^`]+)`/g)) {
      t.true(existsSync(path.join(ROOT, file)), file);
    }
  }
});

test('the files in which ARCHITECTURE.md answers questions have that code', (t) => {
  const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = page.split('## Where to look first');
  const places = [...(section.split('\n## ')[0] ?? '').matchAll(/`([^`]+\.(?:rs|ts))` \(`([^`]+)`\)/g)];
  t.is(places.length, 18);
  for (const [, file = '', name = ''] of places) {
    t.true(readFileSync(path.join(ROOT, file), 'utf8').includes(name), `${file}: ${name}`);
  }
});

for (const crate of readdirSync(path.join(ROOT, 'crates'))) {
  const tests = path.join(ROOT, 'crates', crate, 'tests');
  if (!existsSync(tests)) continue;
  test(`the program of the integration tests of ${crate} has all of their files`, (t) => {
    const modules = [...readFileSync(path.join(tests, 'main.rs'), 'utf8').matchAll(/^mod (\w+);$/gm)].map(
      ([, name]) => name,
    );
    const files = readdirSync(tests).map((name) => path.basename(name, '.rs'));
    // Its towns on a grid are for the tests of the crates above it.
    const others = crate === 'engine' ? ['support'] : [];
    t.deepEqual(
      files.filter((name) => ![...modules, 'main', ...others].includes(name)),
      [],
    );
  });
}
