/** Graphs and inputs that clients upload: received, checked, and passed on as files. */

import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { HttpError, storageError } from '../http-error.js';
import { withoutPath } from './control.js';
import { saveGraphFile } from './graph-file.js';
import type { GraphMaker } from './graph-source.js';
import { hasBuildInputs } from './inputs.js';
import type { Spool } from './spool.js';

/** Bounds and places of uploads. */
interface UploadOptions {
  readonly graphs: string;
  readonly maxUnpackedBytes: number;
}

export interface UploadBody {
  readonly stream: Readable;
  /** Content-Length, if the client sent it. */
  readonly bytes: number | undefined;
}

const MAX_FILES = 1000;

/** Receives what clients upload to the registry. */
export class Uploads {
  constructor(
    private readonly spool: Spool,
    private readonly options: UploadOptions,
    private readonly maker: GraphMaker,
  ) {}

  /** The file of a serialized graph, which is checked when the registry opens it. */
  receiveGraph(body: UploadBody): Promise<string> {
    return this.spool.receive(body.stream, body.bytes, '.obj');
  }

  /** The graph file that is built from a flat zip of build inputs. Throws an `HttpError` 400 or 413 with the reason. */
  async receiveInputs(body: UploadBody): Promise<string> {
    const { UNPACK_RATIO, unpackFlatZip } = await import('./unpack.js');
    const zip = await this.spool.receive(body.stream, body.bytes, '.zip');
    const inputs = await this.spool.reserve('');
    const file = `${inputs}.obj`;
    try {
      const { maxUnpackedBytes: maxBytes } = this.options;
      await unpackFlatZip(zip, inputs, { maxBytes, maxFiles: MAX_FILES, maxRatio: UNPACK_RATIO });
      if (!(await hasBuildInputs(inputs))) throw new HttpError(400, 'no GTFS feed and no OSM file in the zip\n');
      await this.build(inputs, file);
      return file;
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await rm(zip, { force: true });
      await rm(inputs, { recursive: true, force: true });
    }
  }

  /**
   * Puts a serialized graph on disk for the next load of `routerId`, which the caller has checked to be legal. A body
   * that no server could open is refused with an `HttpError` 400, and the previous file stays. `saving` runs the last
   * step.
   */
  async save(body: UploadBody, routerId: string, saving: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    const file = await this.spool.receive(body.stream, body.bytes, '.obj');
    try {
      const graph = await this.maker.open(file, { checkFirst: true }).catch((error: Error) => {
        if (storageError(error)) throw error;
        throw new HttpError(400, `${withoutPath(error, file)}\n`);
      });
      graph.dispose();
      await saving(() => saveGraphFile(file, path.resolve(this.options.graphs), routerId));
    } finally {
      await rm(file, { force: true });
    }
  }

  private async build(inputs: string, file: string): Promise<void> {
    try {
      await this.maker.build(inputs, file);
    } catch (error) {
      if (storageError(error)) throw error;
      throw new HttpError(400, `${(error as Error).message.replaceAll(`${inputs}${path.sep}`, '')}\n`);
    }
  }
}
