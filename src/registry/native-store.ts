/** The addon as the registry sees it. */

import type { Graph, WorkProgress } from '../native/types.js';
import { Queue } from '../queues.js';
import type { GraphStore, OpenOptions } from './graph-source.js';

/** The two functions of the addon that make graphs. */
export interface GraphMaker {
  open(path: string, options?: OpenOptions): Promise<Graph>;
  build(directory: string, output: string, onProgress: (progress: WorkProgress) => void): Promise<unknown>;
}

/** Notified of each build. */
type BuildListener = (directory: string, progress: WorkProgress) => void;

/** Opens graphs at once, but builds one at a time: a build uses all processors and much memory. */
export class NativeGraphStore implements GraphStore {
  readonly #builds = new Queue();

  constructor(
    private readonly maker: GraphMaker,
    private readonly listener: BuildListener = () => {},
  ) {}

  open(file: string, options?: OpenOptions): Promise<Graph> {
    return this.maker.open(file, options);
  }

  async build(directory: string, file: string): Promise<void> {
    await this.#builds.take(() => this.maker.build(directory, file, (progress) => this.listener(directory, progress)));
  }
}
