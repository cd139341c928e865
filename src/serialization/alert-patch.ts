/** Alert patches as the interface shows them. */

import type { AlertPatch, Graph } from '../native/types.js';
import type { AlertPatches, AlertPatch as SentPatch } from './answers/index.js';
import { milliseconds } from './milliseconds.js';
import { ListInParts } from './sliced-json.js';
import type { Written } from './written.js';

type Texts = AlertPatch['header'];

/** Root element in XML. */
export const PATCH_LIST_ROOT = 'AlertPatchResponse';

/** The list, with texts in one language; the member is absent without patches. */
export function presentPatches(patches: readonly AlertPatch[], locale: string): Written<AlertPatches> {
  return patches.length === 0 ? {} : { alertPatches: patches.map((patch) => presentPatch(patch, locale)) };
}

/** Alerts that are read at a time, which takes about a millisecond. */
const TOGETHER = 200;

/** Ids of the entities whose alerts are wanted; while all lists are empty, every alert is wanted. */
interface AlertSubjects {
  readonly stops: readonly string[];
  readonly routes: readonly string[];
  readonly trips: readonly string[];
}

/** The list of all alerts, which are read while it is written: feeds may have hundreds of thousands. */
export function presentAllPatches(
  graph: Pick<Graph, 'alertsSync'>,
  locale: string,
  about: AlertSubjects = { stops: [], routes: [], trips: [] },
): Written<AlertPatches> {
  if (graph.alertsSync(0, 1).length === 0) return {};
  async function* parts() {
    for (let from = 0; ; from += TOGETHER) {
      const patches = graph.alertsSync(from, TOGETHER);
      if (patches.length === 0) return;
      yield patches.filter((patch) => isAbout(patch, about)).map((patch) => presentPatch(patch, locale));
    }
  }
  return { alertPatches: new ListInParts(parts) as unknown as Written<SentPatch>[] };
}

function isAbout({ stop, route, trip }: AlertPatch, { stops, routes, trips }: AlertSubjects): boolean {
  if (stops.length + routes.length + trips.length === 0) return true;
  const names = (ids: readonly string[], id: string | undefined) => id !== undefined && ids.includes(id);
  return names(stops, stop) || names(routes, route) || names(trips, trip);
}

function presentPatch(patch: AlertPatch, locale: string): Written<SentPatch> {
  return {
    id: patch.id,
    alert: {
      alertHeaderText: textIn(patch.header, locale),
      alertDescriptionText: textIn(patch.description, locale),
      alertUrl: textIn(patch.url, locale),
      effectiveStartDate: milliseconds(patch.effectiveStart),
      effectiveEndDate: milliseconds(patch.effectiveEnd),
    },
    agency: patch.agency,
    route: patch.route,
    trip: patch.trip,
    stop: patch.stop,
    direction: patch.direction,
    feedId: patch.feedId,
    directionId: patch.directionId,
    serviceDate: patch.serviceDate,
    startTime: patch.startTime,
  };
}

function textIn(texts: Texts, locale: string): string | undefined {
  const wanted = locale.split(/[-_]/)[0]?.toLowerCase();
  const found = texts.find(({ language }) => language.split(/[-_]/)[0]?.toLowerCase() === wanted);
  return (found ?? texts.find(({ language }) => language === '') ?? texts[0])?.text;
}
