/** How busy the server is, as a few numbers and a plot of the last minutes. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperationApi } from '../api/operation.js';
import { useLive } from '../state/live.js';
import { locale, t } from '../text/texts.js';
import { Failure } from '../ui/failure.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { type Counters, type Load, loadBetween, readCounters } from './load.js';

const EVERY_MS = 2000;
const KEPT = 90;
const WIDTH = 380;
const HEIGHT = 60;

/** The numbers; they appear once the counters were read twice. */
export function LoadView({ api }: { api: OperationApi }) {
  const ask = async (signal: AbortSignal) => readCounters(await api.metrics(signal), performance.now());
  const { value: after, problem, retry } = useLive(ask, [api], EVERY_MS);
  const before = useRef<Counters | undefined>(undefined);
  const [loads, setLoads] = useState<readonly Load[]>([]);
  useEffect(() => {
    const load = before.current && after && loadBetween(before.current, after);
    if (load) setLoads((earlier) => [...earlier, load].slice(-KEPT));
    before.current = after;
  }, [after]);
  const root = useKeptFocus<HTMLElement>();
  const last = loads.at(-1);
  const number = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 });
  return (
    <section ref={root} tabIndex={-1}>
      <h2>{t('operate.load')}</h2>
      {problem && <Failure problem={problem} onRetry={retry} />}
      <dl class="numbers">
        <Fact label={t('operate.searches')} value={last && number.format(last.searchesPerSecond)} />
        <Fact label={t('operate.requests')} value={last && number.format(last.requestsPerSecond)} />
        <Fact label={t('operate.running')} value={last && `${last.running} + ${last.queued}`} />
        <Fact label={t('operate.failures')} value={last && number.format(last.failures + last.rejected)} />
      </dl>
      <Spark values={loads.map(({ searchesPerSecond }) => searchesPerSecond)} />
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value ?? '…'}</dd>
    </div>
  );
}

/** Searches per second over the last minutes. */
function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const points = values.map(
    (value, at) =>
      `${(WIDTH * (at + KEPT - values.length)) / (KEPT - 1)},${HEIGHT - 2 - ((HEIGHT - 6) * value) / most}`,
  );
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
