/** A scenario that is being made: its changes, and what a click on the map adds. */

import { computed, signal } from '@preact/signals';
import type { Position } from '../state/place.js';

/** A stop of a new line: a stop or station of the schedule, or a new stop. */
export interface DraftStop extends Position {
  readonly stopId?: string;
  readonly name: string;
}

/** A stop where vehicles call, and the ids of their lines. */
export interface ServedStop {
  readonly id: string;
  readonly lines: readonly string[];
}

/** A line with the name that the draft shows. */
export interface DraftLine {
  readonly id: string;
  readonly name: string;
}

export type Change =
  | { readonly kind: 'remove'; readonly line: DraftLine }
  | {
      readonly kind: 'headway';
      readonly line: DraftLine;
      readonly minutes: number;
      /** `07:00`; all day while they are empty. */
      readonly from: string;
      readonly until: string;
    }
  | { readonly kind: 'close'; readonly stop: DraftStop }
  | { readonly kind: 'move'; readonly stop: DraftStop; readonly to: Position }
  | {
      readonly kind: 'line';
      readonly name: string;
      readonly stops: readonly DraftStop[];
      readonly minutes: number;
      readonly kmPerHour: number;
    };

/** The effect of the next click on the map. */
export type Drawing = 'remove' | 'headway' | 'close' | 'move' | 'line';

/** Undefined while clicks move the origin. */
export const drawing = signal<Drawing | undefined>(undefined);
/** The changes in their order. */
export const changes = signal<readonly Change[]>([]);
/** Stops of the new line that is being drawn. */
export const lineStops = signal<readonly DraftStop[]>([]);

/** The stop that the next click moves. */
export const movedStop = signal<DraftStop | undefined>(undefined);

/** Whether something is drawn that is not among the changes yet. */
export const isUnfinished = computed(() => lineStops.value.length > 0 || movedStop.value !== undefined);

/** Minutes between vehicles until the user writes another number. */
export const FIRST_HEADWAY_MINUTES = 10;

const DAY_START = '04:00:00';
const DAY_END = '24:00:00';
const BUS = 3;

/** Ids of the stops and stations of the schedule that changes name. */
export function namedStops(all: readonly Change[]): string[] {
  const stops = all.flatMap((change) =>
    change.kind === 'line' ? change.stops : 'stop' in change ? [change.stop] : [],
  );
  return [...new Set(stops.flatMap(({ stopId }) => (stopId === undefined ? [] : [stopId])))];
}

/** The changes as the server takes them; `served` has the stops where vehicles call for each of `namedStops`. */
export function modifications(all: readonly Change[], served: ReadonlyMap<string, readonly ServedStop[]>): object[] {
  const stopsOf = ({ stopId }: DraftStop) =>
    stopId === undefined ? [] : (served.get(stopId) ?? [{ id: stopId, lines: [] }]);
  return all.flatMap((change): object[] => {
    switch (change.kind) {
      case 'remove':
        return [{ type: 'remove-trip', routeId: change.line.id }];
      case 'headway': {
        const routeId = change.line.id;
        // Only trips with frequencies have a headway that can be changed, so trips with a timetable are first converted
        // to them.
        const window = { windowStart: change.from || DAY_START, windowEnd: change.until || DAY_END };
        return [
          { type: 'convert-to-frequency', routeId, groupBy: 'ROUTE_DIRECTION', ...window },
          { type: 'adjust-headway', routeId, headway: change.minutes * 60, ...window },
        ];
      }
      case 'close':
        return [{ type: 'skip-stop', stopId: change.stop.stopId, routeId: linesOf(stopsOf(change.stop)) }];
      case 'move':
        return stopsOf(change.stop).map(({ id }) => ({ type: 'move-stop', stopId: id, ...change.to }));
      default: {
        const stops = change.stops.map((stop) => ({ ...stop, stopId: stopsOf(stop)[0]?.id }));
        return [newLine({ ...change, stops }, 0), newLine({ ...change, stops: stops.toReversed() }, 1)];
      }
    }
  });
}

function linesOf(stops: readonly ServedStop[]): string[] {
  return [...new Set(stops.flatMap(({ lines }) => lines))];
}

/** One direction of a line, all day and every day. */
function newLine({ name, stops, minutes, kmPerHour }: Extract<Change, { kind: 'line' }>, directionId: number): object {
  const calls = stops.map(({ stopId, ...place }) => (stopId === undefined ? place : { stopId }));
  return {
    type: 'add-trip-pattern',
    name,
    routeType: BUS,
    directionId,
    headsign: stops.at(-1)?.name,
    stops: calls,
    timetables: [{ headway: minutes * 60, startTime: DAY_START, endTime: DAY_END, speed: kmPerHour / 3.6 }],
  };
}
