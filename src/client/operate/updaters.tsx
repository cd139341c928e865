/** The status of the sources of live data. */

import type { UpdaterStatus } from '../../serialization/answers/index.js';
import type { OperationApi } from '../api/operation.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { recentTime } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Failure } from '../ui/failure.js';
import { useKeptFocus } from '../ui/kept-focus.js';

const EVERY_MS = 10_000;

/** One line for each updater, with its last success and its last error. */
export function Updaters({ api, routerId }: { api: OperationApi; routerId: string }) {
  const ask = (signal: AbortSignal) => api.updaters(routerId, signal);
  const { value: updaters, problem, retry } = useLive(ask, [api, routerId], EVERY_MS);
  const root = useKeptFocus<HTMLElement>();
  return (
    <section ref={root} tabIndex={-1}>
      <h3>{t('operate.updaters')}</h3>
      {problem && <Failure problem={problem} onRetry={retry} />}
      {updaters?.length === 0 && <p class="hint">{t('operate.noUpdaters')}</p>}
      <ul class="updaters">
        {updaters?.map((updater, position) => (
          <Updater key={position} updater={updater} />
        ))}
      </ul>
    </section>
  );
}

function Updater({ updater }: { updater: UpdaterStatus }) {
  const { calendar } = useShown();
  const { type, description, lastSuccess = 0, warning, lastError, failures, stale, counts } = updater;
  const isFailing = lastError !== undefined && lastError.at > lastSuccess;
  const state = stale || isFailing ? 'bad' : lastSuccess === 0 ? 'warn' : 'good';
  const time = (epochMs: number) => recentTime(epochMs, Date.now(), calendar.timeZone, locale.value);
  const held = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return (
    <li>
      <span class={`badge ${state}`}>{t(`operate.updater.${state}`)}</span>
      <div>
        <b>{type}</b>
        <p class="hint">{description}</p>
        <p>
          {lastSuccess > 0 && t('operate.lastSuccess', { time: time(lastSuccess) })}
          {held.length > 0 && ` · ${held.join(', ')}`}
        </p>
        {warning !== undefined && !isFailing && <p class="error">{warning}</p>}
        {isFailing && (
          <p class="error">
            {time(lastError.at)} {lastError.message} ({t('operate.failuresSoFar', { count: failures })})
          </p>
        )}
      </div>
    </li>
  );
}
