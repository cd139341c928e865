import type { Calendar } from '../api/answers.js';
import { state } from './address.js';
import { type Moment, momentOf } from './moment.js';

/** The time of travel that the address means. "Now" moves with the clock: it differs each time that this is called. */
export function travelMoment(calendar: Calendar): Moment {
  return momentOf({ when: state.when.value, date: state.date.value, time: state.time.value }, calendar, Date.now());
}
