/** When to travel: now, or at a date and time that is read in the time zone of the router. */

import type { RouterInfo } from '../api/answers.js';
import { element, field } from '../dom.js';

/** The choice of the time. */
export class When {
  readonly root: HTMLFieldSetElement;
  private readonly kind: HTMLSelectElement;
  private readonly date = element('input', { type: 'date', name: 'date', required: true });
  private readonly time = element('input', { type: 'time', name: 'time', required: true });
  private readonly period = element('p', { class: 'note' });

  /** @param arrivals whether an arrival time can be chosen. */
  constructor(arrivals: boolean) {
    this.kind = element(
      'select',
      { name: 'when', change: () => this.showFields() },
      element('option', { value: 'now' }, 'Leave now'),
      element('option', { value: 'depart' }, 'Depart at'),
      arrivals ? element('option', { value: 'arrive' }, 'Arrive by') : undefined,
    );
    const at = element('div', { class: 'row' }, field('Date', this.date), field('Time', this.time));
    this.root = element('fieldset', {}, element('legend', {}, 'When'), this.kind, at, this.period);
    this.kind.setAttribute('aria-label', 'When');
  }

  /** Starts at the present, or at the start of the timetable if that does not include today. */
  start(router: RouterInfo): void {
    const now = new Date();
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
    const first = isoDate(router.transitServiceStarts);
    const last = isoDate(router.transitServiceEnds - 86_400);
    const hasTransit = router.transitServiceEnds > router.transitServiceStarts;
    const current = !hasTransit || (local.slice(0, 10) >= first && local.slice(0, 10) <= last);
    this.kind.value = current ? 'now' : 'depart';
    this.date.value = current ? local.slice(0, 10) : last;
    this.time.value = current ? local.slice(11, 16) : '08:00';
    this.period.textContent = hasTransit ? `Timetables from ${first} to ${last}` : 'No timetables';
    this.showFields();
  }

  /** Adds the parameters of the interface. */
  write(query: URLSearchParams): void {
    if (this.kind.value === 'now') return;
    query.set('date', this.date.value);
    query.set('time', this.time.value);
    if (this.kind.value === 'arrive') query.set('arriveBy', 'true');
  }

  private showFields(): void {
    const now = this.kind.value === 'now';
    for (const input of [this.date, this.time]) {
      input.disabled = now;
      input.closest('label')?.toggleAttribute('hidden', now);
    }
  }
}

/** Midnight in any zone is near midnight of UTC, so half a day later it is the same date. */
function isoDate(epochSeconds: number): string {
  const date = new Date((epochSeconds + 43_200) * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
