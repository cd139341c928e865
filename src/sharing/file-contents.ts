/** Contents of the processes of one host: one file for each, in a directory that all of them know. */

import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeDirectory } from '../storage/directory.js';
import { fileBytes, openFileStream } from '../storage/file-stream.js';
import { replaceContent } from '../storage/unfinished.js';
import { MissingContent, type SharedContents } from './shared-contents.js';

/** Contents by name; names are file names. */
export class FileContents implements SharedContents {
  constructor(private readonly directory: string) {}

  async put(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    await makeDirectory(this.directory);
    await replaceContent(this.#file(name), async (file) => {
      await pipeline(Readable.from(bytes, { objectMode: false }), await openFileStream(file));
    });
  }

  async *get(name: string): AsyncIterable<Uint8Array> {
    if (!(await this.has(name))) throw new MissingContent(name);
    yield* fileBytes(this.#file(name));
  }

  async has(name: string): Promise<boolean> {
    return (await stat(this.#file(name)).catch(() => undefined)) !== undefined;
  }

  /** Files stay until they are removed, or the server starts again. */
  keep(): void {}

  async remove(name: string): Promise<void> {
    await rm(this.#file(name), { force: true });
  }

  close(): void {}

  #file(name: string): string {
    return path.join(this.directory, name);
  }
}
