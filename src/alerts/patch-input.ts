/** Alert patches as clients send them, JSON or XML. */

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Json } from '../json.js';
import type { AlertPatch } from '../native/types.js';
import { quoted } from '../quoted.js';

type Translation = AlertPatch['header'][number];

/** A set of patches that cannot be used; the text is the answer to the client. */
export class UnusablePatch extends Error {}

/** Characters of a message about XML, which may list all elements that are not closed. */
const MESSAGE_CHARACTERS = 200;
const LISTS = new Set(['alertPatches', 'AlertPatch', 'timePeriods', 'timePeriod']);
const parser = new XMLParser({
  parseTagValue: false,
  // This also reads numeric character references, such as `&#233;`, which programs that know only ASCII write.
  htmlEntities: true,
  // A route, trip or stop may have its agency and id as attributes.
  ignoreAttributes: (_name, path) => !/\.(route|trip|stop)$/.test(String(path)),
  attributeNamePrefix: '',
  isArray: (name) => LISTS.has(name),
});

/** Reads a whole set: all patches are checked before any is used. Throws `UnusablePatch`. */
export function readPatchSet(body: string, isXml: boolean): AlertPatch[] {
  const set = isXml ? fromXml(body) : fromJson(body);
  if (!Array.isArray(set)) throw new UnusablePatch('alertPatches is missing');
  return set.map(readPatch);
}

function fromJson(body: string): unknown {
  try {
    return JSON.parse(body)?.alertPatches;
  } catch (error) {
    throw new UnusablePatch(`not JSON: ${(error as Error).message}`);
  }
}

function fromXml(body: string): unknown {
  // The parser itself accepts texts that are cut off, and elements that are not closed.
  const checked = XMLValidator.validate(body);
  if (checked !== true) throw new UnusablePatch(`not XML: line ${checked.err.line}: ${shortened(checked.err.msg)}`);
  try {
    const set = parser.parse(body)?.AlertPatchSet;
    return set === '' ? [] : (set?.AlertPatch ?? set?.alertPatches);
  } catch (error) {
    throw new UnusablePatch(`not XML: ${(error as Error).message}`);
  }
}

function shortened(message: string): string {
  return message.length > MESSAGE_CHARACTERS ? `${message.slice(0, MESSAGE_CHARACTERS)}…` : message;
}

function readPatch(patch: Json): AlertPatch {
  const id = optional(patch?.id);
  if (id === undefined) throw new UnusablePatch('Every patch must have an id');
  if (hasEmptyId(patch.route)) throw new UnusablePatch('Every route patch must have a route id');
  const route = entity('route', patch.route);
  const [trip, stop] = [entity('trip', patch.trip), entity('stop', patch.stop)];
  const directionId = Number(optional(patch.directionId) ?? -1);
  const shown = periods(patch.timePeriods);
  return {
    id,
    header: translations(patch.alert?.alertHeaderText),
    description: translations(patch.alert?.alertDescriptionText),
    url: translations(patch.alert?.alertUrl),
    feedId: optional(patch.feedId) ?? (route ?? trip ?? stop)?.split(':')[0] ?? '',
    ...present('agency', optional(patch.agencyId ?? patch.agency)),
    ...present('route', route),
    ...present('trip', trip),
    ...present('stop', stop),
    ...present('direction', optional(patch.direction)),
    directionId: Number.isInteger(directionId) ? directionId : -1,
    periods: shown,
    ...present('effectiveStart', instant(patch.alert?.effectiveStartDate) ?? firstStart(shown)),
    ...present('effectiveEnd', instant(patch.alert?.effectiveEndDate) ?? lastEnd(shown)),
  };
}

function present<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

function optional(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  // An object as text is meaningless, and converting deeply nested lists to text would overflow the stack.
  if (typeof value === 'object') throw new UnusablePatch('Texts and numbers of a patch must not be lists or objects');
  return String(value);
}

/** Whether a route is named without an id. */
function hasEmptyId(route: Json): boolean {
  if (route === null || typeof route !== 'object') return route === '' || /^[^:]*:$/.test(String(route));
  return optional(route.id) === undefined;
}

/** `feed:id`, or its two parts. An alert about any other id would be shown nowhere. */
function entity(name: string, value: Json): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'object') return entityOfParts(name, value);
  const id = String(value);
  if (!/^[^:]+:./s.test(id)) throw new UnusablePatch(`${name}: ${quoted(id)} is not of the form feed:id`);
  return id;
}

function entityOfParts(name: string, value: Json): string {
  const [feed, id] = [optional(value.agency ?? value.agencyId), optional(value.id)];
  if (feed === undefined) throw new UnusablePatch(`${name}: agency is missing`);
  if (id === undefined) throw new UnusablePatch(`${name}: id is missing`);
  return `${feed}:${id}`;
}

/** A plain text, or `{"translations": {"en": "...", ...}}`. */
function translations(value: Json): Translation[] {
  const byLanguage = value?.translations;
  if (byLanguage !== null && typeof byLanguage === 'object') {
    return pairs(byLanguage).map(([language, text]) => ({ language, text: optional(text) ?? '' }));
  }
  const text = optional(value);
  return text === undefined ? [] : [{ language: '', text }];
}

/** Names with their values: the members of an object, or a list `entry` of keys and values, as Java writes maps. */
function pairs(map: Record<string, Json>): [string, Json][] {
  if (map.entry === null || typeof map.entry !== 'object') return Object.entries(map);
  return [map.entry].flat().map((entry: Json) => [optional(entry?.key) ?? '', entry?.value]);
}

function periods(value: Json): AlertPatch['periods'] {
  // Without any period an alert is shown in no plan, so one in another form is not left out.
  if (!Array.isArray(value ?? [])) throw new UnusablePatch('timePeriods is not a list');
  const rows: Json[] = (value ?? []).flatMap((row: Json) => row?.timePeriod ?? row);
  return rows.map((row) => ({ start: seconds(row?.startTime) ?? 0, end: seconds(row?.endTime) ?? FOREVER }));
}

/** End of a period that has none. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** When the first period begins, if any has a beginning. */
function firstStart(shown: AlertPatch['periods']): number | undefined {
  const starts = shown.map(({ start }) => start).filter((start) => start > 0);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** When the last period ends, if all of them do. */
function lastEnd(shown: AlertPatch['periods']): number | undefined {
  const end = Math.max(...shown.map(({ end }) => end));
  // The milliseconds of a later one are too large for clients to read as a whole number.
  return Number.isSafeInteger(end * 1000) ? end : undefined;
}

/** A time with its offset: `Date.parse` also reads texts such as `soon 1`, and those without an offset by the server's clock. */
const TIME = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;

/** Epoch seconds of a time in epoch milliseconds, or as a text such as `2026-11-23T07:00:00Z`. */
function instant(value: unknown): number | undefined {
  const text = optional(value);
  if (text === undefined) return undefined;
  const milliseconds = TIME.test(text) ? Date.parse(text) : Number(text);
  if (!Number.isSafeInteger(milliseconds)) {
    throw new UnusablePatch(
      'effectiveStartDate and effectiveEndDate must be milliseconds since 1970, or times such as 2026-11-23T07:00:00Z',
    );
  }
  return milliseconds / 1000;
}

function seconds(value: unknown): number | undefined {
  const text = optional(value);
  if (text === undefined) return undefined;
  const found = Number(text);
  if (!Number.isSafeInteger(found)) throw new UnusablePatch('Times of a period must be whole seconds since 1970');
  return found;
}
