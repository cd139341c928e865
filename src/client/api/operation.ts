/** Requests of the people who run the server. */

import type { BuildReport, Job, UpdaterStatus, UpdaterStatuses } from '../../serialization/answers/index.js';
import type { Credentials } from '../state/login.js';
import { isRefusedWith, RequestFailed } from './problem.js';
import { request, requestJson } from './request.js';

/** Large graphs take minutes to send and to load. */
const LONG_WAIT_MS = 600_000;

/** Requests to one server; every method rejects as `requestJson` does. */
export class OperationApi {
  /** @param base address of the interface without a slash at the end. */
  constructor(private readonly base: string) {}

  async updaters(routerId: string, signal?: AbortSignal): Promise<UpdaterStatus[]> {
    return (await requestJson<UpdaterStatuses>(`${this.#router(routerId)}/updaters/status`, { signal })).updaters;
  }

  /** Times, counts and issues of a graph's build. */
  buildReport(routerId: string, who: Credentials, signal?: AbortSignal): Promise<BuildReport> {
    return requestJson(`${this.#router(routerId)}/buildReport`, { ...who, signal });
  }

  /** Rejects, with the server's reason, unless somebody may change the router. */
  async checkRole(routerId: string, who: Credentials, signal?: AbortSignal): Promise<void> {
    try {
      // The report needs the same role. Only its status matters here.
      const answer = await request(`${this.#router(routerId)}/buildReport`, { ...who, signal });
      await answer.body?.cancel();
    } catch (error) {
      // Somebody who may read it is told that there is none.
      if (!(error instanceof RequestFailed && error.status === 404)) throw error;
    }
  }

  /** The jobs of a router, the latest first; undefined on a server that takes none. */
  async jobs(routerId: string, who: Credentials, signal?: AbortSignal): Promise<Job[] | undefined> {
    return requestJson<Job[]>(`${this.#router(routerId)}/jobs`, { ...who, signal }).catch((error) => {
      if (isRefusedWith(error, 'JOBS_OFF')) return undefined;
      throw error;
    });
  }

  /** Cancels or resumes a job. Resolves with the server's text. */
  async changeJob(
    routerId: string,
    id: string,
    action: 'cancel' | 'resume',
    who: Credentials,
    signal?: AbortSignal,
  ): Promise<string> {
    const job = `${this.#router(routerId)}/jobs/${encodeURIComponent(id)}`;
    const [url, method] = action === 'cancel' ? [job, 'DELETE'] : [`${job}/resume`, 'POST'];
    return (await request(url, { ...who, method, signal })).text();
  }

  /** Reloads a router's graph from its directory. Resolves with the server's text. */
  async reload(routerId: string, who: Credentials): Promise<string> {
    const init = { ...who, method: 'PUT' };
    return (await request(this.#router(routerId), init, LONG_WAIT_MS)).text();
  }

  /** Sends a graph file, or a zip of inputs, as a router. Resolves with the server's text. */
  async upload(routerId: string, file: Blob, isZip: boolean, who: Credentials): Promise<string> {
    const type = isZip ? 'application/zip' : 'application/octet-stream';
    const init = { ...who, method: 'POST', headers: { ...who.headers, 'Content-Type': type }, body: file };
    return (await request(this.#router(routerId), init, LONG_WAIT_MS)).text();
  }

  /** The server's counters as text, see docs/deploy/README.md. */
  async metrics(signal?: AbortSignal): Promise<string> {
    return (await request(new URL('metrics', document.baseURI).href, { signal })).text();
  }

  #router(routerId: string): string {
    return `${this.base}/routers/${encodeURIComponent(routerId)}`;
  }
}
