/** Answers in the short form in which they are recorded: what clients read, without what differs from run to run. */

import { createHash } from 'node:crypto';
import { fromArrayBuffer } from 'geotiff';
import sharp from 'sharp';
import { fromBufferPromise } from 'yauzl';
import { readTile } from '../support/vector-tile.js';

/** An answer as it is recorded. */
export interface RecordedAnswer {
  readonly status: number;
  /** Media type. */
  readonly type: string;
  /** Headers that the interface defines. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body in a short form; absent when it is empty. */
  readonly body?: unknown;
}

/** Members that say when an answer was made, how long it took and by what, and numbers of this build of the graph. */
const VOLATILE = new Set([
  'debugOutput',
  'buildTime',
  'edgeId',
  'commit',
  'commit_time',
  'build_time',
  'describe',
  'longVersionString',
  'shortVersionString',
  'product',
  'cpuName',
  'nCores',
]);

/** Longer texts and lists are cut. */
const LONG_TEXT = 100;
const SHOWN_TEXT = 40;
const LONG_LIST = 4;
const SHOWN_LIST = 2;
/** First byte of PNG files. */
const PNG_START = 0x89;
/** Digits of numbers that are not whole. */
const DIGITS = 8;

/** The short form of an answer of the server at `origin`. */
export async function abridged(response: Response, origin: string): Promise<RecordedAnswer> {
  const type = (response.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
  const bytes = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('otpa-')));
  return {
    status: response.status,
    type,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(bytes.length > 0 && { body: await abridgedBody(type, bytes, origin) }),
  };
}

async function abridgedBody(type: string, bytes: Buffer, origin: string): Promise<unknown> {
  if (type === 'image/geotiff') return abridgedRaster(bytes);
  if (type.startsWith('image/')) return abridgedImage(bytes);
  if (type.endsWith('vector-tile')) return abridgedTile(bytes);
  if (type.includes('zip')) return abridgedZip(bytes);
  const text = bytes.toString('utf8').replaceAll(origin, 'http://server');
  const value = type.endsWith('json') ? parsed(text) : undefined;
  return value === undefined ? text : abridgedValue(value);
}

/** Some texts are labelled as JSON and are none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function abridgedValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
  if (typeof value === 'string') return abridgedText(value);
  if (Array.isArray(value)) return abridgedList(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (VOLATILE.has(name)) return [name, '…'];
      if (name === 'coordinates') return [name, abridgedCoordinates(member)];
      return [name, abridgedValue(member)];
    }),
  );
}

function abridgedText(text: string): string {
  if (/^fid-[0-9a-f]+_/.test(text)) return 'fid-…';
  if (text.length <= LONG_TEXT) return text;
  return `${text.slice(0, SHOWN_TEXT)}… (${text.length} characters, ${digest(text)})`;
}

/** The first elements, and a digest of the texts and whole numbers of the others. */
function abridgedList(list: readonly unknown[]): unknown {
  if (list.length <= LONG_LIST) return list.map(abridgedValue);
  const rest = list.slice(SHOWN_LIST);
  const exact = JSON.stringify(rest, (name, value) => {
    if (VOLATILE.has(name)) return undefined;
    return typeof value === 'number' && !Number.isInteger(value) ? 0.5 : value;
  });
  return [...list.slice(0, SHOWN_LIST).map(abridgedValue), `… ${rest.length} more, ${digest(exact)}`];
}

/** Number of positions, their box, and the area inside of rings in units of the coordinates. */
function abridgedCoordinates(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates) || typeof coordinates[0] === 'number') return abridgedValue(coordinates);
  const lines = linesOf(coordinates);
  const positions = lines.flat();
  const [lons, lats] = [0, 1].map((axis) => positions.map((position) => position[axis] ?? 0)) as [number[], number[]];
  const area = lines.reduce((sum, line) => sum + ringArea(line), 0);
  const rounded = (value: number) => Number(value.toPrecision(5));
  const box = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)].map(rounded);
  return { lines: lines.length, positions: positions.length, box, area: rounded(Math.abs(area)) };
}

/** The lists of positions in nested lists. */
function linesOf(nested: readonly unknown[]): number[][][] {
  const [first] = nested;
  if (!Array.isArray(first)) return [];
  if (typeof first[0] === 'number') return [nested as number[][]];
  return nested.flatMap((part) => linesOf(part as unknown[]));
}

function ringArea(line: readonly number[][]): number {
  return line.reduce((sum, [x = 0, y = 0], i) => {
    const [nextX = 0, nextY = 0] = line[i + 1] ?? line[0] ?? [];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);
}

/** Size of an image, and where nothing is lost, the mean of each channel in each quarter. */
async function abridgedImage(bytes: Buffer): Promise<unknown> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (bytes[0] !== PNG_START) return { width, height };
  const quarters = Array.from({ length: 4 * channels }, () => ({ sum: 0, count: 0 }));
  for (let at = 0; at < data.length; at += 1) {
    const pixel = Math.floor(at / channels);
    const quarter = (pixel % width < width / 2 ? 0 : 1) + (Math.floor(pixel / width) < height / 2 ? 0 : 2);
    const mean = quarters[quarter * channels + (at % channels)];
    if (mean === undefined) continue;
    mean.sum += data[at] ?? 0;
    mean.count += 1;
  }
  return { width, height, channels, means: quarters.map(({ sum, count }) => Math.round(sum / Math.max(1, count))) };
}

async function abridgedRaster(bytes: Buffer): Promise<unknown> {
  const image = await (await fromArrayBuffer(new Uint8Array(bytes).buffer)).getImage();
  const [pixels] = (await image.readRasters()) as unknown as [ArrayLike<number>];
  const reached = Array.from(pixels).filter((minutes) => minutes > 0 && minutes <= 120);
  const mean = reached.reduce((sum, minutes) => sum + minutes, 0) / Math.max(1, reached.length);
  const box = image.getBoundingBox().map((value) => Number(value.toPrecision(DIGITS)));
  return { width: image.getWidth(), height: image.getHeight(), box, reached: reached.length, mean: Math.round(mean) };
}

function abridgedTile(bytes: Buffer): unknown {
  return Object.fromEntries(Object.entries(readTile(bytes)).map(([name, features]) => [name, features.length]));
}

async function abridgedZip(bytes: Buffer): Promise<unknown> {
  const names: string[] = [];
  for await (const { fileName } of (await fromBufferPromise(bytes)).eachEntry()) names.push(fileName);
  return names.sort();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
