/** The time of travel, in the time zone of the router. */

import { useId } from 'preact/hooks';
import { change, type HistoryStep } from '../state/address.js';
import { lastDate, type Moment, servesNow, tripsOn } from '../state/moment.js';
import { useShown } from '../state/shown.js';
import { travelMoment } from '../state/travel-moment.js';
import { longDate } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Select } from '../ui/controls.js';
import { MomentInput } from '../ui/moment-input.js';

/** Now, or a date and time to leave or arrive at. */
export function WhenFields() {
  const { calendar } = useShown();
  const moment = travelMoment(calendar);
  const { when, date, time } = moment;
  const set = (part: Partial<Moment>, step?: HistoryStep) => change({ when, date, time, ...part }, step);
  const kinds = servesNow(calendar, Date.now())
    ? (['now', 'depart', 'arrive'] as const)
    : (['depart', 'arrive'] as const);
  const choose = (kind: Moment['when']) => {
    if (kind === 'now') change({ when: 'now', date: undefined, time: undefined });
    else set({ when: kind });
  };
  return (
    <div class="when">
      <Select
        label={t('plan.when')}
        unseenLabel
        value={when}
        options={kinds.map((kind) => [kind, t(`plan.${kind}`)] as const)}
        onChange={choose}
      />
      {when !== 'now' && <DateAndTime moment={moment} onChange={set} />}
    </div>
  );
}

interface DateAndTimeProps {
  moment: Moment;
  onChange: (part: Partial<Moment>, step: HistoryStep) => void;
}

function DateAndTime({ moment, onChange }: DateAndTimeProps) {
  const { calendar } = useShown();
  const noteId = useId();
  const spoken = locale.value;
  const { date, time } = moment;
  const last = lastDate(calendar);
  const idle = calendar.firstDate !== undefined && tripsOn(calendar, date) === 0;
  const note = idle
    ? t('plan.idleDate', { first: longDate(calendar.firstDate ?? date, spoken), last: longDate(last ?? date, spoken) })
    : t('plan.zone', { date: longDate(date, spoken), zone: calendar.timeZone.replaceAll('_', ' ') });
  return (
    <>
      <MomentInput
        label={t('common.date')}
        unseenLabel
        type="date"
        value={date}
        min={calendar.firstDate}
        max={last}
        describedBy={noteId}
        onChange={(entered, step) => onChange({ date: entered }, step)}
      />
      <MomentInput
        label={t('common.time')}
        unseenLabel
        type="time"
        value={time}
        describedBy={noteId}
        onChange={(entered, step) => onChange({ time: entered }, step)}
      />
      <p class={idle ? 'note warn' : 'note'} id={noteId}>
        {note}
      </p>
    </>
  );
}
