/** JSON of large values, written piece by piece so that other requests get their turn. */

import { nextTurn } from '../turns.js';

/** Longest time without a pause, milliseconds. */
const SLICE_MS = 4;
/** Characters of a slice. A whole text would be turned into bytes without a pause. */
const SLICE_CHARACTERS = 1 << 18;
/** Values with fewer parts than this are written without a pause, which takes some tenths of a millisecond. */
const SMALL = 2000;
/** Characters of a text that count as one part. */
const CHARACTERS = 32;

/** A list whose elements are made, some at a time, while it is written, so that they need not be kept. */
export class ListInParts {
  constructor(readonly parts: () => AsyncIterable<readonly unknown[]>) {}
}

/** The JSON text of a value as bytes. Generators in it are lists whose elements are made when they are written. */
export async function slicedJson(value: unknown): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const slice of jsonSlices(value)) all.push(slice);
  return all.length === 1 && all[0] !== undefined ? all[0] : Buffer.concat(all);
}

/** The JSON text of a value as bytes that come slice by slice. A member is read after those before it are written. */
export async function* jsonSlices(value: unknown): AsyncGenerator<Buffer> {
  let slice: string[] = [];
  let characters = 0;
  let started = performance.now();
  for await (const text of texts(pieces(value))) {
    slice.push(text);
    characters += text.length;
    if (characters < SLICE_CHARACTERS && performance.now() - started < SLICE_MS) continue;
    yield Buffer.from(slice.join(''));
    slice = [];
    characters = 0;
    await nextTurn();
    started = performance.now();
  }
  yield Buffer.from(slice.join(''));
}

/** The pieces of a text: texts, and lists that are still to be made. */
type Piece = string | ListInParts;

async function* texts(pieces: Iterable<Piece>): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield piece;
    else yield* textsOfParts(piece);
  }
}

async function* textsOfParts(list: ListInParts): AsyncGenerator<string> {
  let before = '[';
  for await (const part of list.parts()) {
    if (part.length === 0) continue;
    yield before;
    yield* texts(elementPieces(part));
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* pieces(value: unknown): Generator<Piece> {
  if (value instanceof ListInParts) yield value;
  else if (isMadeWhileWritten(value)) yield* listPieces(value);
  else if (typeof value !== 'object' || weight(value) < SMALL) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* listPieces(value);
  else yield* objectPieces(value as Readonly<Record<string, unknown>>);
}

function* objectPieces(value: Readonly<Record<string, unknown>>): Generator<Piece> {
  let before = '{';
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* listPieces(items: Iterable<unknown>): Generator<Piece> {
  yield '[';
  yield* elementPieces(items);
  yield ']';
}

/** The elements of a list with the commas between them. Small elements are written together. */
function* elementPieces(items: Iterable<unknown>): Generator<Piece> {
  let before = '';
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
}

/** Whether a value is a list whose elements are made one after the other, as generators do. */
function isMadeWhileWritten(value: unknown): value is Generator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

/** The number of parts of a value; counting stops at `SMALL`. */
function weight(value: unknown, most = SMALL): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS);
  if (value instanceof ListInParts || isMadeWhileWritten(value)) return most;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return 1;
  let parts = 1;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    parts += weight(member, most - parts);
    if (parts >= most) return parts;
  }
  return parts;
}
