import { state } from '../state/address.js';
import type { ChosenMoment } from '../state/moment.js';

/** The time of travel in the address. */
export function chosenMoment(): ChosenMoment {
  return { when: state.when.value, date: state.date.value, time: state.time.value };
}
