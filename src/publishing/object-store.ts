/** The operations of an object store that publishing and jobs need. */

/** Connects at the first use; after a failure the next use tries again. */
export function connectedOnce(connect: () => Promise<ObjectStore>): () => Promise<ObjectStore> {
  let store: Promise<ObjectStore> | undefined;
  return () => {
    store ??= connect().catch((error) => {
      store = undefined;
      throw error;
    });
    return store;
  };
}

/** A short object. */
export interface StoredText {
  readonly text: string;
  /** Identifies this version of the object. */
  readonly tag: string;
}

/** When an object may be written: only when there is none yet, or only in place of one version. */
export type WriteCondition = { readonly ifAbsent: true } | { readonly ifTag: string };

/**
 * A place in an object store. Keys are relative to it. All methods reject with `PublishingError`: `STORE_FAILED` after
 * several tries, `STORE_FULL` when there is no space for what is written.
 */
export interface ObjectStore {
  /** A short object; undefined when there is none, `same` when it still has the tag `known`. */
  read(key: string, known?: string): Promise<StoredText | 'same' | undefined>;
  /**
   * Writes a short object; false when the condition does not hold. Of two conditional calls at once, at most one
   * succeeds.
   */
  write(key: string, text: string, condition: WriteCondition): Promise<boolean>;
  /** Writes an object or replaces it. Readers see it only when it is complete. */
  put(key: string, content: string | Uint8Array): Promise<void>;
  /** Removes an object, if it is there. */
  remove(key: string): Promise<void>;
  /** Number of bytes of an object; undefined when there is none. */
  size(key: string): Promise<number | undefined>;
  /** Copies a file to an object. Readers see it only when it is complete. */
  upload(key: string, file: string, onProgress?: (fraction: number) => void): Promise<void>;
  /**
   * Passes the bytes of an object to `take` in order, and continues at the same place after a broken connection.
   * Rejects with `OBJECT_MISSING`, with `OBJECT_DAMAGED` when the object does not have exactly `bytes` bytes, and with
   * what `take` threw.
   */
  download(key: string, bytes: number, take: (chunk: Buffer) => Promise<void>): Promise<void>;
  /** Keys that begin with `start`. */
  list(start: string): Promise<string[]>;
  /** The names of the folders at `start`: the parts of its keys up to the next slash, each once. */
  folders(start: string): Promise<string[]>;
  /** The address of an object, for messages. */
  address(key: string): string;
}
