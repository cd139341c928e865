/** JSON of large values, written piece by piece so that other requests get their turn. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time in one go, milliseconds. */
const SLICE_MS = 8;
/** Elements written between two looks at the clock. */
const STEP = 64;

/** The JSON text of a list whose elements are made when they are written, as bytes. */
export async function slicedJsonList<T>(items: Iterable<T> | AsyncIterable<T>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let texts: string[] = [];
  let started = performance.now();
  for await (const item of inSteps(items)) {
    texts.push(item.map((element) => JSON.stringify(element) ?? 'null').join());
    if (performance.now() - started < SLICE_MS) continue;
    parts.push(Buffer.from(`${parts.length > 0 ? ',' : ''}${texts.join()}`));
    texts = [];
    await nextTurn();
    started = performance.now();
  }
  if (texts.length > 0) parts.push(Buffer.from(`${parts.length > 0 ? ',' : ''}${texts.join()}`));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

async function* inSteps<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  let step: T[] = [];
  for await (const item of items) {
    step.push(item);
    if (step.length < STEP) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

/** Lists longer than this are written in slices. */
const LONG = 200;

/** The JSON text of a value; long lists in the upper levels of its objects are written in slices. */
export async function slicedJson(value: unknown, depth = 4): Promise<Buffer> {
  if (Array.isArray(value) && value.length > LONG) return slicedJsonList(value);
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return Buffer.from(JSON.stringify(value) ?? 'null');
  }
  const members: Buffer[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    members.push(
      Buffer.from(`${members.length > 0 ? ',' : ''}${JSON.stringify(name)}:`),
      await slicedJson(member, depth - 1),
    );
  }
  return Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')]);
}
