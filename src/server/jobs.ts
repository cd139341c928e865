/** The jobs of a server: computed here, by the threads of long searches. */

import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/server-settings.js';
import { reportSeldom } from '../failure-reports.js';
import type { ServerJobs } from '../http/deps.js';
import { openIfSame } from '../jobs/job-graphs.js';
import { jobPlace } from '../jobs/job-place.js';
import { LocalJobs } from '../jobs/local-jobs.js';
import { GraphMissing, type JobGraphs } from '../jobs/open-jobs.js';
import { type OnPart, PartMaker } from '../jobs/part-maker.js';
import { QueuedJobs } from '../jobs/queued-jobs.js';
import type { JobStatus } from '../jobs/status.js';
import type { Graph } from '../native/types.js';
import { type FileVersion, fileVersion, isSameVersion } from '../registry/graph-file.js';
import type { GraphMaker } from '../registry/graph-source.js';
import type { Pin } from '../registry/pin.js';
import type { RouterRegistry } from '../registry/registry.js';
import type { ProcessValues } from '../sharing/process-values.js';
import { fileSha256 } from '../storage/file-hash.js';
import type { Admission } from './admission.js';
import type { Metrics } from './metrics.js';
import { PartMetrics } from './part-metrics.js';

/** The parts of the server that jobs need. */
export interface JobParts {
  readonly registry: RouterRegistry;
  readonly pin: Pin;
  readonly maker: GraphMaker;
  readonly longAdmission: Admission;
  readonly metrics: Metrics;
  /** Searches that run at once. */
  readonly parallel: number;
  /** What the processes of this host have in common. */
  readonly own: ProcessValues;
}

const DAY_MS = 86_400_000;

/** Undefined when the server takes no jobs. With Redis, workers compute them; otherwise this process does. */
export function serverJobs(config: ServerConfig, logger: Logger, parts: JobParts): ServerJobs | undefined {
  const { jobs, redis: url, redisPrefix: prefix, keepJobsDays, s3Endpoint } = config;
  if (jobs === undefined) return undefined;
  const graphs = new ServedGraphs(parts);
  const common = {
    place: jobPlace(jobs, s3Endpoint),
    ...(keepJobsDays === 0 ? {} : { keepMs: keepJobsDays * DAY_MS }),
    onError: reportSeldom((error) => logger.error({ err: error }, 'jobs could not be read or written')),
  };
  const graphHash = (id: string) => graphs.hash(id);
  if (url !== undefined) return { queue: new QueuedJobs({ ...common, redis: { url, prefix } }), graphHash };
  const made = new PartMetrics(parts.metrics.registry, () => queue.running);
  const onPart: OnPart = (_, __, seconds, error) => made.count(seconds, error);
  const withLock = <T>(id: string, work: () => Promise<T>) => parts.own.withLock(`job ${id}`, work);
  const queue = new LocalJobs({ ...common, ...here(parts, graphs, logger), withLock, onPart });
  return { queue, graphHash };
}

/** What this process needs to compute jobs. */
function here({ longAdmission, parallel }: JobParts, graphs: JobGraphs, logger: Logger) {
  return {
    maker: new PartMaker(graphs, (search, signal) => longAdmission.runWhenIdle(search, signal)),
    parallel,
    onEnd: ({ job, progress: { state, failures } }: JobStatus) =>
      logger.info({ job: job.id, state, failures }, 'job ended'),
  };
}

/** The graph files of the routers that are served, opened separately, because jobs do not use live data. */
class ServedGraphs implements JobGraphs {
  readonly #hashes = new Map<string, { readonly version: FileVersion | undefined; readonly sha256: string }>();

  constructor(private readonly parts: JobParts) {}

  /** The hash of the file that a router serves; undefined when it is not there or was replaced. */
  async hash(router: string): Promise<string | undefined> {
    const source = this.parts.registry.sourceOf(router);
    const version = source === undefined ? undefined : await fileVersion(source.file);
    if (source === undefined || version === undefined) return undefined;
    const served = source.served?.version;
    if (served !== undefined && !isSameVersion(served, version)) return undefined;
    const known = this.#hashes.get(source.file);
    if (known !== undefined && isSameVersion(known.version, version)) return known.sha256;
    const sha256 = await fileSha256(source.file);
    this.#hashes.set(source.file, { version, sha256 });
    return sha256;
  }

  async open(router: string, sha256: string): Promise<Graph> {
    const file = this.parts.registry.sourceOf(router)?.file;
    if (file === undefined) throw new GraphMissing(`router ${router} is not served any more`);
    const pinned = await this.parts.pin(file);
    try {
      return await openIfSame(pinned, router, sha256, (name) => this.parts.maker.open(name));
    } finally {
      if (pinned !== file) await rm(pinned, { force: true });
    }
  }
}
