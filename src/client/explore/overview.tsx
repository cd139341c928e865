/** Things to explore: lines and stops by name, alerts, and the legend of the map. */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { change } from '../state/address.js';
import { LatestRequest } from '../state/latest-request.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { isolated } from '../text/isolated.js';
import { t } from '../text/texts.js';
import { InputField } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { Icon } from '../ui/icon.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { modeIcon, modeName } from '../ui/route-badge.js';
import type { FoundStop, LineShort } from './index-answers.js';
import { askLines, askStopsNamed } from './index-queries.js';
import { Alerts, Answer, LineButton, lineName, useAlerts } from './parts.js';

const MOST_LINES = 60;
const TYPING_MS = 150;

/** The tab without anything chosen. */
export function Overview() {
  const { api } = useShown();
  const text = useSignal('');
  const lines = useLive((signal) => askLines(api, undefined, signal), [api]);
  const alerts = useAlerts();
  return (
    <div class="explore">
      <p>{t('explore.hint')}</p>
      <InputField
        label={t('explore.search')}
        type="search"
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <FoundStops text={text.value} />
      <Alerts alerts={alerts.value ?? []} />
      <Answer live={lines}>{(all) => <Lines lines={matching(all, text.value)} />}</Answer>
      <Legend />
    </div>
  );
}

/** The lines of a link, or of a point of the map where several run. */
export function LineList({ ids }: { ids: readonly string[] }) {
  const { api } = useShown();
  const live = useLive((signal) => askLines(api, ids, signal), [api, ids.join()]);
  return <Answer live={live}>{(lines) => <Lines lines={lines} />}</Answer>;
}

function matching(lines: readonly LineShort[], text: string): LineShort[] {
  const wanted = text.trim().toLowerCase();
  return lines.filter(({ shortName, longName }) =>
    `${shortName ?? ''} ${longName ?? ''}`.toLowerCase().includes(wanted),
  );
}

/** Modes of which a city has many lines come last, so that the others are not among those that are left out. */
const LAST_MODES = ['COACH', 'BUS'];

/** Lines by mode, and those of a mode in the order of their names; 9 comes before 10. */
function inOrder(lines: readonly LineShort[]): LineShort[] {
  const place = ({ mode }: LineShort) => LAST_MODES.indexOf(mode);
  const byName = (one: LineShort, other: LineShort) =>
    lineName(one).localeCompare(lineName(other), undefined, { numeric: true });
  return lines.toSorted(
    (one, other) => place(one) - place(other) || one.mode.localeCompare(other.mode) || byName(one, other),
  );
}

function Lines({ lines }: { lines: readonly LineShort[] }) {
  const modes = useMemo(() => {
    const sorted = inOrder(lines).slice(0, MOST_LINES);
    return [...new Set(sorted.map(({ mode }) => mode))].map(
      (mode) => [mode, sorted.filter((line) => line.mode === mode)] as const,
    );
  }, [lines]);
  return (
    <section class="lines" aria-label={t('explore.lines')}>
      {modes.map(([mode, list]) => (
        <div key={mode}>
          <h2>{modeName(mode)}</h2>
          <ul>
            {list.map((line) => (
              <li key={line.gtfsId}>
                <LineButton line={line} withName />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {lines.length > MOST_LINES && <p class="hint">{t('explore.moreLines', { count: lines.length - MOST_LINES })}</p>}
    </section>
  );
}

/** Stops whose names begin with the text. */
function FoundStops({ text }: { text: string }) {
  const { api } = useShown();
  const stops = useMemo(() => new LatestRequest<FoundStop[]>(), [api]);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted.length < 2) return stops.clear();
    const timer = setTimeout(() => stops.run((signal) => askStopsNamed(api, wanted, signal)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [api, stops, wanted]);
  const { value, problem } = stops.status.value;
  const root = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={root} tabIndex={-1} class="may-be-empty">
      {problem && <Failure problem={problem} onRetry={() => stops.retry()} />}
      {!problem && value && wanted.length >= 2 && <Stops found={value} />}
    </div>
  );
}

function Stops({ found }: { found: readonly FoundStop[] }) {
  if (found.length === 0) return <p class="hint">{t('explore.noStops')}</p>;
  return (
    <ul class="found" aria-label={t('explore.stops')}>
      {found.map(({ gtfsId: id, name, code, routes }) => {
        const lines = inOrder(routes);
        const mode = lines[0]?.mode;
        return (
          <li key={id}>
            <button type="button" onClick={() => change({ thing: { kind: 'stop', id } })}>
              <Icon name={mode === undefined ? 'pin' : modeIcon(mode)} title={mode && modeName(mode)} />
              <span>
                {code === null ? name : `${name} (${code})`}
                <small>{lines.map((line) => isolated(lineName(line))).join(' · ')}</small>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The legend of the map's style. */
function Legend() {
  return (
    <ul class="legend" aria-label={t('explore.legend')}>
      <li>
        <i class="sign stop" /> {t('explore.legend.stop')}
      </li>
      <li>
        <i class="sign line" /> {t('explore.legend.line')}
      </li>
      <li>
        <i class="sign rental" /> {t('explore.legend.rental')}
      </li>
      <li>
        <i class="sign vehicle" /> {t('explore.legend.vehicle')}
      </li>
    </ul>
  );
}
