/** Jobs as the interface shows them. */

import type { JobStatus } from '../jobs/status.js';
import type { Job } from './answers/jobs.js';

export function presentJob({ job, progress, address, parts, originsDone, ...rates }: JobStatus): Job {
  const { id, name, router, task, priority, created, origins } = job;
  const { state, started, ended, partsDone, failures } = progress;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    routerId: router,
    kind: task.kind,
    state,
    priority,
    created,
    ...(started === undefined ? {} : { started }),
    ...(ended === undefined ? {} : { ended }),
    origins,
    originsDone,
    parts,
    partsDone,
    ...rates,
    failures: failures.map(({ firstOrigin, origins: count, message }) => ({ firstOrigin, origins: count, message })),
    result: address,
  };
}
