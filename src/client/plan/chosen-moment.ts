import { state } from '../state/address.js';
import type { ChosenMoment } from '../state/moment.js';

/** What the address says of when to travel. */
export function chosenMoment(): ChosenMoment {
  return { when: state.when.value, date: state.date.value, time: state.time.value };
}
