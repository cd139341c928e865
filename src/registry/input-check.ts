/** A quick check whether the contents of build inputs match their names, without building anything. */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { counted } from '../counted.js';
import { withZipFile } from '../zip-file.js';
import { inputKind } from './inputs.js';
import { bytesAt } from './regular-file.js';

/** Files without which a feed has no trips. */
const NEEDED_TABLES = ['agency.txt', 'stops.txt', 'routes.txt', 'trips.txt', 'stop_times.txt'];
/** First bytes of a gzip file; the build finds out what is in it. */
const GZIP = Buffer.from([0x1f, 0x8b]);
/** One of these says on which days trips run. */
const SERVICE_TABLES = ['calendar.txt', 'calendar_dates.txt'];

/** An input that a build could not read. */
export class UnusableInput extends Error {}

/**
 * Describes the content of an input file in a few words. Throws `UnusableInput` when the content does not match the
 * name. A zip without a feed is skipped by the build, so it is not an error.
 */
export async function describeInput(file: string, name: string): Promise<string> {
  const size = `${((await stat(file)).size / 1e6).toFixed(1)} MB`;
  switch (inputKind(name)) {
    case 'transit':
      return `${await describeFeed(file)}, ${size}`;
    case 'streets':
      return `${await describeStreets(file, name)}, ${size}`;
    case 'elevation':
      return `${await describeElevation(file)}, ${size}`;
    default:
      return size;
  }
}

/** Whether a build skips a zip because it holds something else than a feed; one that cannot be read is not skipped. */
export async function isSkipped(file: string): Promise<boolean> {
  const names = await readZip(file, namesOf).catch(() => undefined);
  return names !== undefined && !hasTables(names) && misplacement(names) === undefined;
}

function hasTables(names: readonly string[]): boolean {
  return [...NEEDED_TABLES, ...SERVICE_TABLES].some((table) => names.includes(table));
}

/** Why a build finds no table, if a file has the name of the largest one, but is in a folder or in capitals. */
function misplacement(names: readonly string[]): string | undefined {
  const table = names.find((name) => /(^|\/)stop_times\.txt$/i.test(name));
  if (table === undefined) return undefined;
  const folder = path.posix.dirname(table);
  return folder === '.'
    ? `the tables have to be named in lower case: stop_times.txt instead of ${table}`
    : `the tables are in the folder ${folder}/ of the archive and have to be at its root`;
}

async function describeFeed(file: string): Promise<string> {
  const { names, faults } = await readZip(file, readContents);
  if (!hasTables(names)) {
    const reason = misplacement(names);
    if (reason === undefined) return 'no GTFS feed (no table at its root), skipped by the build';
    throw new UnusableInput(reason);
  }
  const isUsable = (table: string) => names.includes(table) && !faults.has(table);
  const missing = NEEDED_TABLES.filter((table) => !isUsable(table));
  if (!SERVICE_TABLES.some(isUsable)) missing.push(SERVICE_TABLES.join(' or '));
  const found = [...faults].map(([table, fault]) => `${table} ${fault}`);
  if (missing.length > 0) {
    throw new UnusableInput([`GTFS feed without ${missing.join(', ')}`, ...found].join('; '));
  }
  const count = names.filter(isTable).length;
  const tables = `GTFS feed of ${counted(count, 'table')}`;
  return found.length === 0 ? tables : `${tables} (left out by the build: ${found.join('; ')})`;
}

function isTable(name: string): boolean {
  return name.endsWith('.txt') && !name.includes('/');
}

/** Some programs name the folder that they archive, which is the root then. */
const nameOf = ({ fileName }: Entry) => fileName.replace(/^\.\//, '');

function namesOf(entries: readonly Entry[]): string[] {
  return entries.map(nameOf);
}

async function readContents(entries: readonly Entry[], zip: ZipFile) {
  const names = namesOf(entries);
  return { names, faults: hasTables(names) ? await faultsOfTables(entries, zip) : new Map<string, string>() };
}

/** Why the build cannot read some tables, by their beginnings. */
async function faultsOfTables(entries: readonly Entry[], zip: ZipFile): Promise<Map<string, string>> {
  const faults = new Map<string, string>();
  for (const entry of entries.filter((entry) => isTable(nameOf(entry)))) {
    const start = await firstBytesOf(await zip.openReadStreamPromise(entry));
    if (isUtf16(start)) faults.set(nameOf(entry), 'is in UTF-16 and has to be in UTF-8');
    else if (/^\uFEFF?\s*$/.test(start.toString('utf8'))) faults.set(nameOf(entry), 'is empty');
  }
  return faults;
}

/** Whether a text begins with two plain letters in UTF-16: after a byte order mark if any, every second byte is 0. */
function isUtf16(start: Buffer): boolean {
  return /^(?:\xfe\xff|\xff\xfe)?(?:\0[^\0]\0[^\0]|[^\0]\0[^\0]\0)/.test(start.toString('latin1'));
}

async function firstBytesOf(content: Readable): Promise<Buffer> {
  for await (const chunk of content) return chunk;
  return Buffer.alloc(0);
}

/** What `read` makes of the files of a zip. */
async function readZip<T>(file: string, read: (entries: readonly Entry[], zip: ZipFile) => T): Promise<Awaited<T>> {
  try {
    return await withZipFile(file, async (zip) => {
      const entries: Entry[] = [];
      for await (const entry of zip.eachEntry()) entries.push(entry);
      return await read(entries, zip);
    });
  } catch (error) {
    throw new UnusableInput(`not a readable zip: ${(error as Error).message}`);
  }
}

async function describeStreets(file: string, name: string): Promise<string> {
  const start = await bytesAt(file, 0, 64);
  if (start.subarray(0, GZIP.length).equals(GZIP)) return 'OpenStreetMap, gzipped';
  if (name.toLowerCase().endsWith('.pbf')) {
    // A blob header of at most 64 KiB comes first; its type is the first text in it.
    const plausible = start.length >= 15 && start.readUInt32BE(0) <= 65_536;
    if (!plausible || !start.includes('OSMHeader')) throw new UnusableInput('not an OpenStreetMap PBF file');
    return 'OpenStreetMap PBF';
  }
  const text = start
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (!/^<(\?xml|osm|!--)/.test(text)) throw new UnusableInput('not an OpenStreetMap XML file');
  return 'OpenStreetMap XML';
}

async function describeElevation(file: string): Promise<string> {
  const magic = (await bytesAt(file, 0, 4)).toString('latin1');
  const known = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];
  if (!known.includes(magic)) throw new UnusableInput('not a TIFF file');
  return 'elevation';
}
