/** Things to explore: lines and stops by name, alerts, and the legend of the map. */

import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { LatestRequest } from '../state/latest-request.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { InputField } from '../ui/controls.js';
import { Outcome } from '../ui/outcome.js';
import { modeName } from '../ui/route-badge.js';
import { groupedLines, groupedStops } from './groups.js';
import type { FoundStop, LineShort } from './index-answers.js';
import { askLines, askStopsNamed } from './index-queries.js';
import { inOrder } from './line-order.js';
import { Alerts, Answer, LineButton, useAlerts } from './parts.js';
import { StopButton } from './stop-button.js';

const MOST_LINES = 60;
const TYPING_MS = 150;

/** The text that was searched for, even after something that was found has been shown. */
const search = signal('');

/** The tab without anything chosen. */
export function Overview() {
  const { api } = useShown();
  const text = search.value;
  const lines = useLive((signal) => askLines(api, undefined, signal), [api]);
  const alerts = useAlerts();
  return (
    <div class="explore">
      <p>{t('explore.hint')}</p>
      <InputField
        label={t('explore.search')}
        type="search"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
        }}
      />
      <FoundStops text={text} />
      <Alerts alerts={alerts.value ?? []} />
      <Answer live={lines}>{(all) => <Lines groups={groupedLines(inOrder(matching(all, text)))} />}</Answer>
      <Legend />
    </div>
  );
}

/** The lines of a link, or of a point of the map where several run. */
export function LineList({ ids }: { ids: readonly string[] }) {
  const { api } = useShown();
  const live = useLive((signal) => askLines(api, ids, signal), [api, ids.join()]);
  // The list of a group shows each line of it.
  const groupsOf = (lines: LineShort[]) => {
    const groups = groupedLines(lines);
    return groups.length === 1 ? lines.map((line) => [line]) : groups;
  };
  return <Answer live={live}>{(lines) => <Lines groups={groupsOf(inOrder(lines))} />}</Answer>;
}

function matching(lines: readonly LineShort[], text: string): LineShort[] {
  const wanted = text.trim().toLowerCase();
  return lines.filter(({ shortName, longName }) =>
    `${shortName ?? ''} ${longName ?? ''}`.toLowerCase().includes(wanted),
  );
}

function Lines({ groups }: { groups: readonly LineShort[][] }) {
  const shown = groups.slice(0, MOST_LINES).flatMap((group) => (group[0] ? [{ line: group[0], group }] : []));
  const modes = [...new Set(shown.map(({ line }) => line.mode))];
  return (
    <section class="lines" aria-label={t('explore.lines')}>
      {modes.map((mode) => (
        <div key={mode}>
          <h2>{modeName(mode)}</h2>
          <ul>
            {shown
              .filter(({ line }) => line.mode === mode)
              .map(({ line, group }) => (
                <li key={line.gtfsId}>
                  <LineButton line={line} group={group} withName />
                </li>
              ))}
          </ul>
        </div>
      ))}
      {groups.length > MOST_LINES && (
        <p class="hint">{t('explore.moreLines', { count: groups.length - MOST_LINES })}</p>
      )}
    </section>
  );
}

/** The stops that were found for a text. */
interface Found {
  readonly text: string;
  readonly groups: FoundStop[][];
}

/** Stops whose names begin with the text. */
function FoundStops({ text }: { text: string }) {
  const { api } = useShown();
  const stops = useMemo(() => new LatestRequest<Found>(), [api]);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted.length < 2) return stops.clear();
    const find = async (signal: AbortSignal) => {
      return { text: wanted, groups: groupedStops(await askStopsNamed(api, wanted, signal)) };
    };
    const timer = setTimeout(() => stops.run(find), TYPING_MS);
    return () => clearTimeout(timer);
  }, [api, stops, wanted]);
  const { value, problem } = stops.status.value;
  if (wanted.length < 2) return null;
  const isAnswered = value?.text === wanted;
  return (
    <Outcome class="may-be-empty" problem={problem} onRetry={() => stops.retry()}>
      {/* Without this, the lines and the stops of another text would look like everything that was found. */}
      {!isAnswered && problem === undefined && (
        <p class="hint" role="status">
          {t('common.loading')}
        </p>
      )}
      {value && (isAnswered || value.groups.length > 0) && <Stops groups={value.groups} />}
    </Outcome>
  );
}

function Stops({ groups }: { groups: readonly FoundStop[][] }) {
  if (groups.length === 0) return <p class="hint">{t('explore.noStops')}</p>;
  return (
    <ul class="found" aria-label={t('explore.stops')}>
      {groups.map((group) => (
        <li key={group[0]?.gtfsId}>
          <StopButton group={group} />
        </li>
      ))}
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
