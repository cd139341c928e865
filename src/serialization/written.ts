import type { EntityId } from './entity-id.js';

/**
 * The form of the answer `T` before it is written: ids may be objects that know their feed, for XML, and members that
 * may be absent may be `undefined`.
 */
export type Written<T> = T extends string
  ? T | (string extends T ? EntityId : never)
  : T extends readonly (infer Item)[]
    ? ReadonlyArray<Written<Item>>
    : T extends object
      ? { readonly [Member in keyof T]: Written<T[Member]> }
      : T;
