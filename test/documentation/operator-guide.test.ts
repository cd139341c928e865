/** The tables of docs/guides/operator.md list every flag and key, with what really happens to it. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { createProgram } from '../../src/cli/arguments.js';
import { BUILD_KEYS } from '../../src/config/build-config.js';
import type { Fields } from '../../src/config/fields.js';
import { parseRouterConfig, ROUTER_CONFIG_FIELDS } from '../../src/config/router-config.js';
import { ROUTING_DEFAULT_KEYS } from '../../src/config/routing-default-keys.js';
import { UPDATER_TYPES } from '../../src/config/updaters.js';
import { createUpdater } from '../../src/updaters/create-updater.js';
import type { UpdaterContext } from '../../src/updaters/updater.js';
import { unusedKeys } from '../support/unused-keys.js';
import { ROOT } from './pages.js';

const TEXT = readFileSync(path.join(ROOT, 'docs/guides/operator.md'), 'utf8');

/** The rows of the tables under a heading, without their heads: the first two cells of each. */
function rows(heading: string): [first: string, second: string][] {
  const section = TEXT.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]?.split(/^#/m)[0] ?? '';
  return [...section.matchAll(/^\| (.*?) \| (.*?) \|$/gm)].map(([, first, second]) => [String(first), String(second)]);
}

const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name));

/** The names in the second cell of the row with this first cell. */
function listed(heading: string, result: string): string[] {
  const row = rows(heading).find(([first]) => first === result);
  return names(row?.[1] ?? '').sort();
}

function usedKeys(fields: Fields): string[] {
  const unused = unusedKeys(fields);
  return Object.keys(fields).filter((key) => !unused.includes(key));
}

test('every key of build-config.json is used or gives a warning, as listed', (t) => {
  const fields = Object.fromEntries(Object.entries(BUILD_KEYS).map(([key, { field }]) => [key, field]));
  const used = usedKeys(fields);
  t.deepEqual(listed('build-config.json', 'used'), used.sort());
  const instead = rows('build-config.json').filter(([first]) => first.startsWith('`'));
  t.deepEqual(instead.flatMap(([first]) => names(first)).sort(), unusedKeys(fields).sort());
});

test('every key of router-config.json is used or gives a warning, as listed', (t) => {
  t.deepEqual(listed('router-config.json', 'used'), usedKeys(ROUTER_CONFIG_FIELDS).sort());
  t.deepEqual(listed('router-config.json', 'warned about, without effect'), unusedKeys(ROUTER_CONFIG_FIELDS));
  t.deepEqual(listed('router-config.json', 'used, in `routingDefaults`'), usedKeys(ROUTING_DEFAULT_KEYS).sort());
  const warned = listed('router-config.json', 'warned about, in `routingDefaults`, without effect');
  t.deepEqual(warned, unusedKeys(ROUTING_DEFAULT_KEYS).sort());
});

/** Members that make an updater complete. */
const SOURCES: Readonly<Record<string, string>> = {
  'stop-time-updater': 'gtfs-http',
  'bike-rental': 'gbfs',
  'bike-park': 'kml-placemarks',
};

/** What the server does with an updater of a type. */
function outcome(type: string): string {
  const config = { type, url: 'https://feeds.example/', sourceType: SOURCES[type] ?? '', featureType: 'works' };
  const read = parseRouterConfig(JSON.stringify({ updaters: [config] }), 'router-config.json').config.updaters[0];
  if (read === undefined) return 'warned about and skipped';
  const context = { number: 0, access: {}, sink: {}, logger: {} } as unknown as UpdaterContext;
  const { className } = createUpdater(read, context);
  return className === type && type.startsWith('example-') ? 'accepted, does nothing' : 'used';
}

test('every type of updaters does what is listed', (t) => {
  const found = rows('Updaters').flatMap(([result, cell]) => names(cell).map((type) => [type, result] as const));
  t.deepEqual(found.map(([type]) => type).sort(), [...UPDATER_TYPES].sort());
  for (const [type, result] of found) t.is(outcome(type), result, type);
});

test('every flag of the table exists, and those without effect are listed as such', (t) => {
  const { options } = createProgram();
  const flags = new Map(options.map(({ long, description }) => [long ?? '', description]));
  flags.set('--help', '');
  const found = rows('Flags').flatMap(([cell, result]) => names(cell).map((flag) => [flag, result] as const));
  t.is(found.length, 26);
  for (const [flag, result] of found) {
    if (flag === '@file') continue;
    t.true(flags.has(flag), flag);
    t.is(flags.get(flag)?.startsWith('accepted;'), result === 'accepted, without effect', flag);
  }
});
