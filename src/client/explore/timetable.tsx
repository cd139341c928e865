/** The timetable of a pattern on a day: a row per stop, a column per run. */

import { useMemo } from 'preact/hooks';
import { useLive } from '../state/live.js';
import { epochSeconds } from '../state/moment.js';
import { useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { MomentChoice, useMoment } from '../ui/moment-field.js';
import { firstFrom, timeOfDay, timetableColumns } from './calls.js';
import type { DayOfPattern, LinePattern } from './index-answers.js';
import { askTimetable } from './index-queries.js';
import { Answer, showTrip } from './parts.js';

/** All runs of the chosen day; a run is shown when its first time is clicked. */
export function Timetable({ pattern }: { pattern: LinePattern }) {
  const { api, calendar } = useShown();
  const { date } = useMoment();
  // Service days begin twelve hours before noon, even on days when the clocks change.
  const start = epochSeconds({ date, time: '12:00' }, calendar.timeZone) - 43_200;
  const ask = (signal: AbortSignal) => askTimetable(api, pattern, date.replaceAll('-', ''), start, signal);
  const live = useLive(ask, [api, pattern, date]);
  return (
    <>
      <MomentChoice />
      <Answer live={live}>{(day) => <Runs day={day} pattern={pattern} date={date} />}</Answer>
    </>
  );
}

function Runs({ day, pattern, date }: { day: DayOfPattern; pattern: LinePattern; date: string }) {
  const { time } = useMoment();
  const columns = useMemo(() => timetableColumns(day), [day]);
  if (columns.length === 0) return <p class="hint">{t('explore.noRuns')}</p>;
  const from = firstFrom(columns, time);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached with the keyboard.
    <section class="timetable" aria-label={t('explore.timetable')} tabIndex={0} ref={(box) => scrollTo(box, from)}>
      <table>
        <thead>
          <tr>
            {/* The first row has the times at the first stop. */}
            <th scope="row">{pattern.stops[0]?.name}</th>
            {columns.map(({ trip, times }) => (
              <th scope="col" key={`${trip} ${times[0]?.seconds}`}>
                <button
                  type="button"
                  onClick={() => showTrip(trip, date)}
                  aria-label={t('explore.showTrip', { time: timeOfDay(times[0]?.seconds ?? 0) })}
                >
                  {timeOfDay(times[0]?.seconds ?? 0)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pattern.stops.slice(1).map((stop, position) => (
            <tr key={position}>
              <th scope="row">{stop.name}</th>
              {columns.map(({ trip, times }) => {
                const call = times[position + 1];
                return (
                  <td key={`${trip} ${times[0]?.seconds}`} class={call?.live ? 'live' : undefined}>
                    {call ? timeOfDay(call.seconds) : ''}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Brings the first run after the chosen time into sight, once. */
function scrollTo(box: HTMLElement | null, column: number): void {
  if (!box || column < 1 || box.dataset.at === String(column)) return;
  box.dataset.at = String(column);
  const [first] = box.querySelectorAll('thead th');
  const cell = box.querySelectorAll<HTMLElement>('thead th')[column + 1];
  // The first column stays in sight above the others.
  if (cell && first) box.scrollLeft += cell.getBoundingClientRect().left - first.getBoundingClientRect().right;
}
