/** The jobs of a router: their progress, and buttons to cancel or resume them. */

import { useMemo } from 'preact/hooks';
import type { Job } from '../../serialization/answers/index.js';
import type { OperationApi } from '../api/operation.js';
import { LatestRequest } from '../state/latest-request.js';
import { useLive } from '../state/live.js';
import { login, loginCredentials } from '../state/login.js';
import { useApp } from '../state/shown.js';
import { duration } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { useKeptFocus } from '../ui/kept-focus.js';

const EVERY_MS = 3000;

/** One line for each job, the latest first; empty without a necessary login, and on a server that takes no jobs. */
export function JobsView({ api, routerId }: { api: OperationApi; routerId: string }) {
  const { server } = useApp();
  const who = login.value;
  const ask = (signal: AbortSignal) => api.jobs(routerId, loginCredentials(), signal);
  const { value: jobs, problem, retry } = useLive(ask, [api, routerId, who], EVERY_MS);
  const root = useKeptFocus<HTMLElement>();
  const mayNot = problem?.kind === 'refused' && who === undefined && !server.insecure;
  if (mayNot || (jobs === undefined && problem === undefined)) return null;
  return (
    <section ref={root} tabIndex={-1}>
      <h3>{t('operate.jobs')}</h3>
      {problem && <Failure problem={problem} onRetry={retry} />}
      {jobs?.length === 0 && <p class="hint">{t('operate.noJobs')}</p>}
      <ul class="updaters">
        {jobs?.map((job) => (
          <JobLine key={job.id} api={api} job={job} onChange={retry} />
        ))}
      </ul>
    </section>
  );
}

const BADGES: Readonly<Record<Job['state'], 'good' | 'warn' | 'bad'>> = {
  waiting: 'warn',
  running: 'good',
  complete: 'good',
  failed: 'bad',
  cancelled: 'warn',
};

function JobLine({ api, job, onChange }: { api: OperationApi; job: Job; onChange: () => void }) {
  const changing = useMemo(() => new LatestRequest<string>(), []);
  const { running, problem } = changing.status.value;
  const { id, name, routerId, kind, state, origins, originsDone, remainingSeconds, failures } = job;
  const number = new Intl.NumberFormat(locale.value);
  const change = async (action: 'cancel' | 'resume') => {
    await changing.run((signal) => api.changeJob(routerId, id, action, loginCredentials(), signal));
    onChange();
  };
  const isGoingOn = state === 'waiting' || state === 'running';
  const canResume = state === 'failed' || state === 'cancelled';
  return (
    <li>
      <span class={`badge ${BADGES[state]}`}>{t(`operate.job.${state}`)}</span>
      <div>
        <b>{name ?? kind}</b>
        <progress max={origins} value={originsDone} aria-label={name ?? kind} />
        <p>
          {t('operate.originsDone', { done: number.format(originsDone), count: number.format(origins) })}
          {remainingSeconds !== undefined &&
            ` · ${t('operate.timeLeft', { time: duration(remainingSeconds, locale.value) })}`}
        </p>
        {failures[0] !== undefined && <p class="error">{failures[0].message}</p>}
        {problem && <Failure problem={problem} />}
        {(isGoingOn || canResume) && (
          <Button kind="quiet" disabled={running} onClick={() => void change(isGoingOn ? 'cancel' : 'resume')}>
            {t(isGoingOn ? 'operate.cancelJob' : 'operate.resumeJob')}
          </Button>
        )}
      </div>
    </li>
  );
}
