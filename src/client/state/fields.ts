/**
 * Every member of the state that a link reproduces. A panel adds its own here, and nowhere else: reading and writing the
 * address, going back and forward, and the types follow.
 */

import { BIKE_WEIGHTS, DATE, flag, listOf, number, oneOf, optional, PLACE, TIME, text, WORD } from './codec.js';

/** Tabs in their order. */
export const TABS = ['plan', 'explore', 'analyse', 'operate'] as const;
export type Tab = (typeof TABS)[number];

/** The members by their names in the address. */
export const FIELDS = {
  /** Router id; the server's first when empty. */
  router: text(),
  tab: oneOf(TABS, 'plan'),
  /** Ends of a trip. */
  from: optional(PLACE),
  to: optional(PLACE),
  via: listOf(PLACE),
  /** Name of a travel mode, see `plan/travel-modes.ts`. */
  mode: text('transit'),
  /** Transit modes that are not used. */
  without: listOf(WORD),
  /** What the date and time are. Without a choice it is the present, where something runs then. */
  when: optional(oneOf(['now', 'depart', 'arrive'], 'now').codec),
  /** In the zone of the router. */
  date: optional(DATE),
  time: optional(TIME),
  wheelchair: flag(),
  fewTransfers: flag(),
  /** Metres; 0 for the server's default. */
  maxWalk: number(0, { least: 0, most: 100_000 }),
  /** What matters by bicycle; the server's default when absent. */
  bike: optional(BIKE_WEIGHTS),
  /** Numbers of further searches for itineraries before and after the first ones. */
  earlier: number(0, { least: 0, most: 20 }),
  later: number(0, { least: 0, most: 20 }),
  /** Key of the itinerary that is shown, see `plan/itinerary.ts`; the first without one. */
  chosen: text(),
} as const;
