/**
 * Every member of the state that a link reproduces. A panel adds its own members here and nowhere else; the address,
 * going back and forward, and the types follow from them.
 */

import {
  BIKE_WEIGHTS,
  DATE,
  flag,
  listOf,
  MINUTES,
  number,
  oneOf,
  optional,
  PLACE,
  THING,
  TIME,
  text,
  WORD,
} from './codec.js';

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
  /** What the date and time mean. Without a choice it is the present, if something runs then. */
  when: optional(oneOf(['now', 'depart', 'arrive'], 'now').codec),
  /** In the time zone of the router. */
  date: optional(DATE),
  time: optional(TIME),
  wheelchair: flag(),
  fewTransfers: flag(),
  /** Metres; 0 for the server's default. */
  maxWalk: number({ least: 0, most: 100_000 }),
  /** Priorities by bicycle; the server's default when absent. */
  bike: optional(BIKE_WEIGHTS),
  /** Numbers of further searches for itineraries before and after the first ones. */
  earlier: number({ least: 0, most: 20 }),
  later: number({ least: 0, most: 20 }),
  /** Key of the itinerary that is shown, see `plan/itinerary.ts`; the first without one. */
  chosen: text(),
  /** The thing that Explore shows. */
  thing: optional(THING),
  /** Pattern of the line that Explore shows; its most frequent one when empty. */
  pattern: text(),
  /** Service day of the trip that Explore shows. */
  tripDate: optional(DATE),
  /** Where an analysis starts. */
  origin: optional(PLACE),
  /** Whether the time is that of departure from the origin, or of arrival at it. */
  reachWay: oneOf(['from', 'to'], 'from'),
  reachBy: oneOf(['transit', 'walk', 'bicycle', 'car'], 'transit'),
  /** Minutes, ascending. */
  cutoffs: listOf(MINUTES, ',', [10, 20, 30]),
  drawing: oneOf(['bands', 'surface'], 'bands'),
  /** Minutes of departures; 0 for one departure. */
  window: number({ least: 0, most: 240 }),
  percentile: oneOf(['5', '25', '50', '75', '95'], '50'),
  scenario: text(),
  /** The second side of a comparison, and how both are shown. */
  compare: oneOf(['none', 'origin', 'time', 'scenario'], 'none'),
  compareAs: oneOf(['difference', 'sides'], 'difference'),
  otherOrigin: optional(PLACE),
  otherTime: optional(TIME),
  otherScenario: text(),
  /** Point set whose places are counted or coloured, and the property that is counted. */
  places: text(),
  placesAs: oneOf(['plot', 'map'], 'plot'),
  property: text(),
} as const;

export type FieldName = keyof typeof FIELDS;

/** The members that a search for trips depends on. */
export const TRIP_SEARCH = [
  'router',
  'from',
  'to',
  'via',
  'mode',
  'without',
  'when',
  'date',
  'time',
  'wheelchair',
  'fewTransfers',
  'maxWalk',
  'bike',
] as const satisfies readonly FieldName[];

/** The choices among the trips of a search; another search begins without them. */
export const AMONG_TRIPS = ['earlier', 'later', 'chosen'] as const satisfies readonly FieldName[];

/**
 * How people travel and what is drawn, which mean the same with every router; the other members name things of one
 * router.
 */
export const OF_ANY_ROUTER: readonly FieldName[] = [
  'tab',
  'mode',
  'wheelchair',
  'fewTransfers',
  'maxWalk',
  'bike',
  'reachWay',
  'reachBy',
  'cutoffs',
  'drawing',
  'window',
  'percentile',
  'compareAs',
  'placesAs',
];
