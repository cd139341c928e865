/** Jobs as text. */

import { counted } from '../../counted.js';
import type { JobStatus } from '../../jobs/status.js';
import { CommandFailure, EXIT } from '../failure.js';

/** Prints the outcome of a job. Throws `CommandFailure` when it is not complete. */
export function reportJob({ job, progress, address, originsDone, originsPerSecond }: JobStatus): void {
  const rate = originsPerSecond === undefined ? '' : `, ${originsPerSecond.toFixed(1)} a second`;
  console.log(`${originsDone} of ${counted(job.origins, 'origin')}${rate}: ${address}`);
  for (const { firstOrigin, origins, message } of progress.failures) {
    const range = origins === 1 ? `origin ${firstOrigin}` : `origins ${firstOrigin} to ${firstOrigin + origins - 1}`;
    console.error(`${range}: ${message}`);
  }
  if (progress.state !== 'complete') throw new CommandFailure(`the job has ${progress.state}`, EXIT.failed);
}

export function statusLine({ job, progress, originsDone, originsPerSecond, remainingSeconds }: JobStatus): string {
  const share = ((100 * originsDone) / job.origins).toFixed(1);
  const rate = originsPerSecond === undefined ? '' : `, ${originsPerSecond.toFixed(1)} a second`;
  const left = remainingSeconds === undefined ? '' : `, ${Math.ceil(remainingSeconds)} s left`;
  const failed = progress.failures.length === 0 ? '' : `, ${counted(progress.failures.length, 'part')} failed`;
  return `${job.task.kind} of ${counted(job.origins, 'origin')}: ${progress.state}, ${share} %${rate}${left}${failed}`;
}
