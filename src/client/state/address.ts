/**
 * The state that a link reproduces. It is kept in the fragment of the address, so that reloading, going back and
 * forward, and opening a link show the same page.
 */

import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Field } from './codec.js';
import { AMONG_TRIPS, FIELDS, type FieldName, OF_ANY_ROUTER, TRIP_SEARCH } from './fields.js';

type Fields = typeof FIELDS;
type ValueOf<F> = F extends Field<infer T> ? T : never;

export type StateValues = { readonly [N in FieldName]: ValueOf<Fields[N]> };

const NAMES = Object.keys(FIELDS) as FieldName[];
const signals = Object.fromEntries(NAMES.map((name) => [name, signal<unknown>(FIELDS[name].initial)]));

/** The present values. Components that read one are rendered again when it changes; `change` sets them. */
export const state = signals as { readonly [N in FieldName]: ReadonlySignal<StateValues[N]> };

/** Whether a change is a step that going back undoes, or belongs to the one before. */
export type HistoryStep = 'push' | 'replace';

/**
 * Sets some members and the address. If that changes what trips are searched by, forgets what was chosen among them.
 */
export function change(values: Partial<StateValues>, step: HistoryStep = 'push'): void {
  const isOtherSearch = TRIP_SEARCH.some((name) => name in values && !isShown(name, values[name]));
  set(isOtherSearch ? { ...initialValues(AMONG_TRIPS), ...values } : values);
  const fragment = addressOf(state);
  if (fragment === (location.hash || '#')) return;
  if (step === 'push') history.pushState(null, '', fragment);
  else history.replaceState(null, '', fragment);
}

/**
 * Shows another router and forgets the places, times, scenarios and ids that were chosen, which mean nothing to another
 * router.
 */
export function changeRouter(router: string): void {
  change({ ...initialValues(NAMES.filter((name) => !OF_ANY_ROUTER.includes(name))), router });
}

/** Follows changes of the address from now on. */
export function followAddress(): void {
  const read = () => set(valuesIn(location.hash));
  window.addEventListener('popstate', read);
  read();
}

/** A link to the present page with some members changed. */
export function linkWith(values: Partial<StateValues>): string {
  const shown = Object.fromEntries(NAMES.map((name) => [name, { value: values[name] ?? state[name].value }]));
  return new URL(addressOf(shown as typeof state), location.href).href;
}

function set(values: Partial<StateValues>): void {
  batch(() => {
    for (const name of NAMES) {
      if (!(name in values)) continue;
      if (!isShown(name, values[name])) (signals[name] as Signal<unknown>).value = values[name];
    }
  });
}

/** Whether a member has this value; places and lists are new objects each time that the address is read. */
function isShown(name: FieldName, value: unknown): boolean {
  return written(name, state[name].peek()) === written(name, value);
}

function initialValues(names: readonly FieldName[]): Partial<StateValues> {
  return Object.fromEntries(names.map((name) => [name, FIELDS[name].initial]));
}

/** The fragment for these values; members with their initial values are left out. */
function addressOf(values: { readonly [N in FieldName]: { readonly value: StateValues[N] } }): string {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    const text = written(name, values[name].value);
    if (text !== written(name, FIELDS[name].initial)) query.set(name, text);
  }
  // These are allowed in fragments, and links are easier to read with them.
  return `#${query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}

/** The values of a fragment; initial values where it has none, or one that cannot be read. */
function valuesIn(fragment: string): StateValues {
  const query = new URLSearchParams(fragment.replace(/^#/, ''));
  const values = NAMES.map((name) => {
    const text = query.get(name);
    const field = FIELDS[name] as Field<unknown>;
    return [name, text === null ? field.initial : (field.codec.read(text) ?? field.initial)];
  });
  return Object.fromEntries(values);
}

function written(name: FieldName, value: unknown): string {
  return (FIELDS[name] as Field<unknown>).codec.write(value);
}
