/** Jobs whose graphs and places are open, shared by the parts that are being computed. */

import { readPointSet } from '../analysis/point-set-file.js';
import type { Graph, LinkedPoints } from '../native/types.js';
import { readScenario } from '../scenarios/scenario.js';
import type { OpenJob } from './compute.js';
import type { Job } from './job.js';
import { FILES, type JobFiles } from './job-files.js';
import type { TableWriter } from './table-writer.js';

export interface JobGraphs {
  /**
   * Opens the graph with this hash for jobs alone, without live data. Rejects with `GraphMissing` when this machine
   * does not have it.
   */
  open(router: string, sha256: string): Promise<Graph>;
}

/** The graph of a job is not on this machine. */
export class GraphMissing extends Error {}

/** Most jobs that stay open although no part of them is being computed. */
const KEPT = 2;

interface Opened {
  readonly open: Promise<OpenJob & { close(): void }>;
  users: number;
}

/** Opens a job for its first part, and closes it some time after its last one. */
export class OpenJobs {
  /** The most recently used last. */
  readonly #opened = new Map<string, Opened>();

  constructor(
    private readonly graphs: JobGraphs,
    private readonly tables: TableWriter,
  ) {}

  /** Runs `work` with a job, which stays open while it runs. */
  async use<T>(job: Job, files: JobFiles, work: (open: OpenJob) => Promise<T>): Promise<T> {
    const opened = this.#opened.get(job.id) ?? { open: this.#open(job, files), users: 0 };
    this.#opened.delete(job.id);
    this.#opened.set(job.id, opened);
    opened.users += 1;
    try {
      return await work(await opened.open);
    } catch (error) {
      // A job that could not be opened is tried again with the next part.
      opened.open.catch(() => this.#opened.delete(job.id));
      throw error;
    } finally {
      opened.users -= 1;
      this.#closeUnused(KEPT);
    }
  }

  /** Closes the jobs that are not in use. */
  close(): void {
    this.#closeUnused(0);
  }

  #closeUnused(kept: number): void {
    for (const [id, { open, users }] of this.#opened) {
      if (this.#opened.size <= kept) return;
      if (users > 0) continue;
      this.#opened.delete(id);
      open.then(
        (opened) => opened.close(),
        () => {},
      );
    }
  }

  async #open(job: Job, files: JobFiles): Promise<OpenJob & { close(): void }> {
    const [origins, destinations] = await Promise.all([
      files.withLocalFile(FILES.origins, readPointSet),
      'destinations' in job.task ? files.withLocalFile(FILES.destinations, readPointSet) : undefined,
    ]);
    const graph = await this.graphs.open(job.router, job.graph);
    const opened = [graph];
    const close = () => {
      for (const each of new Set([...graphs, ...opened])) each.dispose();
      this.tables.forget(job.id);
    };
    const graphs: Graph[] = [];
    try {
      for (const { id, text } of job.scenarios)
        graphs.push(text === undefined ? graph : await changed(graph, id, text));
      if (job.task.kind === 'accessibility') {
        const ones = new Int32Array(destinations?.size ?? 0).fill(1);
        const amounts = job.task.opportunities.map((name) => destinations?.properties.get(name)?.amounts ?? ones);
        await this.tables.know(job.id, amounts);
      }
    } catch (error) {
      close();
      throw error;
    }
    const links = new Map<number, Promise<LinkedPoints>>();
    const linked = (scenario: number, link: () => Promise<LinkedPoints>) => {
      const points = links.get(scenario) ?? link();
      links.set(scenario, points);
      points.catch(() => links.delete(scenario));
      return points;
    };
    const none = new Float64Array();
    return { job, graphs, origins: origins.positions, destinations: destinations?.positions ?? none, linked, close };
  }
}

async function changed(graph: Graph, id: string, text: string): Promise<Graph> {
  const { modifications } = readScenario(text);
  const made = await graph.withScenario(modifications.map(({ native }) => native));
  const wrong = made.modificationReports().flatMap(({ error }, i) => (error ? [`modifications[${i}]: ${error}`] : []));
  if (wrong.length === 0) return made;
  made.dispose();
  throw new Error(`scenario ${id}: ${wrong.join(', ')}`);
}
