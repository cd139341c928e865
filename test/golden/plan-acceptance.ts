/**
 * Decides whether an answer to a plan request is as good as the recorded one: by least cost and earliest arrival, not
 * by equality, because better itineraries are welcome. Contradictions inside an itinerary are never accepted.
 */

/** The result of a comparison; `same` and `better` are accepted. */
export interface Verdict {
  kind: 'same' | 'better' | 'worse' | 'differs';
  notes: string[];
}

const verdict = (kind: Verdict['kind'], notes: string[] = []): Verdict => ({ kind, notes });

/** Errors that are more exact than the recorded one. */
const SHARPER: Record<string, string[]> = {
  SYSTEM_ERROR: ['BOGUS_PARAMETER', 'UNDERSPECIFIED_TRIANGLE', 'TRIANGLE_NOT_AFFINE', 'PATH_NOT_FOUND'],
  PATH_NOT_FOUND: ['OUTSIDE_BOUNDS', 'REQUEST_TIMEOUT', 'LOCATION_NOT_ACCESSIBLE', 'NO_TRANSIT_TIMES'],
};

/** Compares two parsed answers to the same query. */
export function comparePlans(recorded: any, answer: any, query: URLSearchParams): Verdict {
  if (!recorded.plan) return compareWithoutPlan(recorded.error?.message, answer);
  if (!answer.plan) return verdict('worse', [`no plan: ${answer.error?.message}`]);
  const ours: any[] = answer.plan.itineraries;
  const theirs: any[] = recorded.plan.itineraries;
  if (ours.length === 0) return verdict('worse', ['no itinerary']);
  const faults = [...missingMembers(recorded, answer), ...ours.flatMap(contradictions)];
  if (faults.length > 0) return verdict('differs', faults.slice(0, 6));
  const transit = theirs.some((itinerary) => itinerary.legs.some((leg: any) => leg.transitLeg));
  return transit ? compareTransit(theirs, ours, query) : compareStreets(theirs[0], ours[0], query);
}

function compareWithoutPlan(recordedError: string | undefined, answer: any): Verdict {
  if (answer.plan?.itineraries?.length > 0) {
    const faults = answer.plan.itineraries.flatMap(contradictions);
    return faults.length > 0 ? verdict('differs', faults) : verdict('better', ['finds what was not found']);
  }
  const error = answer.error?.message;
  if (error === recordedError || SHARPER[recordedError ?? '']?.includes(error)) return verdict('same');
  return verdict('differs', [`error ${error}, expected ${recordedError}`]);
}

function compareStreets(theirs: any, ours: any, query: URLSearchParams): Verdict {
  const length = (itinerary: any) => sum(itinerary.legs.map((leg: any) => leg.distance));
  const metres = Math.abs(length(theirs) - length(ours));
  const seconds = Math.abs(theirs.duration - ours.duration);
  if (metres <= Math.max(10, 0.01 * length(theirs)) && seconds <= Math.max(20, 0.03 * theirs.duration)) {
    return verdict('same');
  }
  const quicker = ours.duration < theirs.duration && (query.get('optimize') ?? 'QUICK') === 'QUICK';
  const shown = (itinerary: any) => `${Math.round(length(itinerary))} m in ${itinerary.duration} s`;
  return verdict(quicker ? 'better' : 'worse', [`${shown(ours)}, expected ${shown(theirs)}`]);
}

function compareTransit(theirs: any[], ours: any[], query: URLSearchParams): Verdict {
  const cost = (itineraries: any[]) => Math.min(...itineraries.map((itinerary) => generalizedCost(itinerary, query)));
  const arriveBy = query.get('arriveBy')?.toLowerCase() === 'true';
  const lateness = (itineraries: any[]) =>
    arriveBy
      ? -Math.max(...itineraries.map((i) => i.startTime)) / 1000
      : Math.min(...itineraries.map((i) => i.endTime)) / 1000;
  const notes: string[] = [];
  const dearer = cost(ours) - cost(theirs);
  const later = lateness(ours) - lateness(theirs);
  if (cost(ours) > cost(theirs) * 1.02 + 60) notes.push(`costs ${dearer.toFixed(0)} more`);
  if (later > 60) notes.push(`${arriveBy ? 'leaves' : 'arrives'} ${later.toFixed(0)} s worse`);
  if (ours.length < theirs.length) notes.push(`${ours.length} itineraries, expected ${theirs.length}`);
  if (notes.length > 0) return verdict('worse', notes);
  return verdict(dearer < -60 || later < -60 ? 'better' : 'same');
}

/** The reference's cost as far as an answer shows it: 600 per boarding, walking and waiting with their reluctance. */
function generalizedCost(itinerary: any, query: URLSearchParams): number {
  const number = (name: string, otherwise: number) => Number(query.get(name) || otherwise);
  const walk = number('walkReluctance', 2);
  const wait = number('waitReluctance', 1);
  const penalty = number('transferPenalty', 0) + (query.get('optimize') === 'TRANSFERS' ? 1800 : 0);
  let cost = 0;
  let boardings = 0;
  let end: number | undefined;
  for (const leg of itinerary.legs) {
    if (end !== undefined) cost += (Math.max(0, leg.startTime - end) / 1000) * wait;
    const seconds = (leg.endTime - leg.startTime) / 1000;
    cost += leg.transitLeg ? seconds : seconds * walk;
    if (leg.transitLeg && !leg.interlineWithPreviousLeg) boardings += 1;
    end = leg.endTime;
  }
  return cost + 600 * boardings + penalty * Math.max(0, boardings - 1);
}

/** Members of the recorded answer that are absent or of another type; lists are compared by their first elements. */
function missingMembers(recorded: any, answer: any, path = '$'): string[] {
  const kind = (value: any) => (Array.isArray(value) ? 'array' : typeof value);
  if (kind(recorded) !== kind(answer)) return [`${path}: ${kind(answer)} where ${kind(recorded)} is expected`];
  if (Array.isArray(recorded)) {
    const comparable = recorded.length > 0 && answer.length > 0;
    return comparable ? missingMembers(recorded[0], answer[0], `${path}[0]`) : [];
  }
  if (typeof recorded !== 'object' || recorded === null) return [];
  return Object.keys(recorded).flatMap((name) => {
    if (name === 'debugOutput' || name === 'requestParameters') return [];
    if (!(name in answer)) return [`${path}.${name}: missing`];
    return missingMembers(recorded[name], answer[name], `${path}.${name}`);
  });
}

/** Contradictions in an itinerary, whatever was recorded. */
export function contradictions(itinerary: any): string[] {
  const faults: string[] = [];
  if (itinerary.endTime - itinerary.startTime !== itinerary.duration * 1000) faults.push('duration is not end - start');
  let end: number | undefined;
  itinerary.legs.forEach((leg: any, n: number) => {
    if (leg.endTime < leg.startTime) faults.push(`leg ${n} ends before it starts`);
    if (end !== undefined && leg.startTime < end) faults.push(`leg ${n} starts before the one before ends`);
    end = leg.endTime;
    if (leg.transitLeg && !leg.tripId) faults.push(`leg ${n} has no tripId`);
    faults.push(...geometryFaults(leg).map((fault) => `leg ${n}: ${fault}`));
  });
  return faults;
}

/** How far, in degrees, the ends of a street leg may be from its places. */
const NEAR = 0.012;

function geometryFaults(leg: any): string[] {
  if (!leg.legGeometry) return ['no legGeometry'];
  const points = decodePolyline(leg.legGeometry.points);
  const faults: string[] = [];
  if (points.length !== leg.legGeometry.length)
    faults.push(`${points.length} points, length ${leg.legGeometry.length}`);
  if (points.length === 0 || leg.distance <= 50 || leg.transitLeg) return faults;
  for (const [point, place] of [
    [points[0], leg.from],
    [points.at(-1), leg.to],
  ] as const) {
    const [lat = 0, lon = 0] = point ?? [];
    if (Math.max(Math.abs(lat - place.lat), Math.abs(lon - place.lon)) > NEAR) faults.push('ends far from its place');
  }
  return faults;
}

function decodePolyline(text: string): Array<[lat: number, lon: number]> {
  const numbers: number[] = [];
  let shift = 0;
  let bits = 0;
  for (const character of text) {
    const chunk = character.charCodeAt(0) - 63;
    bits |= (chunk & 31) << shift;
    shift += 5;
    if (chunk >= 32) continue;
    numbers.push(bits & 1 ? ~(bits >> 1) : bits >> 1);
    shift = 0;
    bits = 0;
  }
  let lat = 0;
  let lon = 0;
  const points: Array<[number, number]> = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    lat += numbers[i] ?? 0;
    lon += numbers[i + 1] ?? 0;
    points.push([lat / 1e5, lon / 1e5]);
  }
  return points;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
