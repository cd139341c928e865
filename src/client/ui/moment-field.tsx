/** Date and time of a departure, in the zone of the router. */

import { change, type HistoryStep } from '../state/address.js';
import { type Moment, servesNow, tripsOn } from '../state/moment.js';
import { useShown } from '../state/shown.js';
import { travelMoment } from '../state/travel-moment.js';
import { longDate } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from './controls.js';
import { Icon } from './icon.js';
import { MomentInput } from './moment-input.js';

/** The time of travel, as that of a departure. */
export function useMoment(): Moment {
  const { calendar } = useShown();
  const moment = travelMoment(calendar);
  return moment.when === 'arrive' ? { ...moment, when: 'depart' } : moment;
}

/** The time in words; it unfolds to fields. */
export function MomentChoice() {
  const { when, date, time } = useMoment();
  const shown = `${longDate(date, locale.value)}, ${time}`;
  return (
    <details class="moment-choice">
      <summary>
        <Icon name="clock" size={18} />
        {when === 'now' ? t('common.now') : shown}
        <Icon name="chevron" size={18} />
      </summary>
      <MomentField />
    </details>
  );
}

/** Fields for the date and time, and a button back to now if something may run now. */
function MomentField() {
  const { calendar } = useShown();
  const moment = useMoment();
  const choose = (chosen: { date?: string; time?: string }, step: HistoryStep) =>
    change({ when: 'depart', date: moment.date, time: moment.time, ...chosen }, step);
  return (
    <div class="moment">
      <MomentInput
        label={t('common.date')}
        type="date"
        value={moment.date}
        onChange={(date, step) => choose({ date }, step)}
      />
      <MomentInput
        label={t('common.time')}
        type="time"
        value={moment.time}
        onChange={(time, step) => choose({ time }, step)}
      />
      {servesNow(calendar, Date.now()) && moment.when !== 'now' && (
        <Button kind="quiet" icon="clock" onClick={() => change({ when: 'now', date: undefined, time: undefined })}>
          {t('common.now')}
        </Button>
      )}
      {calendar.firstDate !== undefined && tripsOn(calendar, moment.date) === 0 && (
        <p class="hint">{t('common.nothingRuns')}</p>
      )}
    </div>
  );
}
