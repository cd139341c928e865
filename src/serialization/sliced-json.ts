/** JSON of large values, written piece by piece so that other requests get their turn. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time in one go, milliseconds. */
const SLICE_MS = 4;
/** Values with fewer parts than this are written in one go: some tenths of a millisecond. */
const SMALL = 2000;
/** Characters of a text that count as one part. */
const CHARACTERS = 32;

/** The JSON text of a value as bytes. */
export async function slicedJson(value: unknown): Promise<Buffer> {
  return joined(pieces(value));
}

/** The JSON text of a list whose elements are made when they are written, as bytes. */
export async function slicedJsonList(items: Iterable<unknown>): Promise<Buffer> {
  return joined(listPieces(items));
}

async function joined(texts: Iterable<string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let slice: string[] = [];
  let started = performance.now();
  for (const text of texts) {
    slice.push(text);
    if (performance.now() - started < SLICE_MS) continue;
    parts.push(Buffer.from(slice.join('')));
    slice = [];
    await nextTurn();
    started = performance.now();
  }
  parts.push(Buffer.from(slice.join('')));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

function* pieces(value: unknown): Generator<string> {
  if (typeof value !== 'object' || weight(value) < SMALL) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* listPieces(value);
  else yield* objectPieces(value as Readonly<Record<string, unknown>>);
}

function* objectPieces(value: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Small elements are written together. */
function* listPieces(items: Iterable<unknown>): Generator<string> {
  let before = '[';
  let together: unknown[] = [];
  let parts = 0;
  for (const item of items) {
    const own = weight(item);
    if (own < SMALL) {
      together.push(item);
      parts += own;
      if (parts < SMALL) continue;
    }
    if (together.length > 0) {
      yield before + JSON.stringify(together).slice(1, -1);
      before = ',';
    }
    if (own >= SMALL) {
      yield before;
      yield* pieces(item);
      before = ',';
    }
    together = [];
    parts = 0;
  }
  if (together.length > 0) yield before + JSON.stringify(together).slice(1, -1);
  else if (before === '[') yield before;
  yield ']';
}

/** How many parts a value has; counted as far as `SMALL`. */
function weight(value: unknown, most = SMALL): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return 1;
  let parts = 1;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    parts += weight(member, most - parts);
    if (parts >= most) return parts;
  }
  return parts;
}
