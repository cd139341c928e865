/** The options of a profile as the interface writes them. Member order is part of the interface. */

import type {
  ProfileFare,
  ProfileOption,
  ProfileSegment,
  ProfileStreetEdge,
  ProfileStreetSegment,
} from '../native/types.js';
import type * as answers from './answers/index.js';
import { EntityId } from './entity-id.js';
import type { Written } from './written.js';

/** All options, presented while they are written: there may be thousands. */
export function profileDocument(options: readonly ProfileOption[]) {
  return { options: presentOptions(options) };
}

function* presentOptions(options: readonly ProfileOption[]): Generator<Written<answers.ProfileOption>> {
  for (const option of options) yield presentOption(option);
}

function presentOption({ transit, access, egress, stats, fares }: ProfileOption): Written<answers.ProfileOption> {
  return {
    ...(transit.length > 0 && { transit: transit.map(presentSegment) }),
    ...(access.length > 0 && { access: access.map(presentStreetSegment) }),
    ...(egress.length > 0 && { egress: egress.map(presentStreetSegment) }),
    stats,
    summary: summary(transit),
    // The interface knows the fares of one city's agencies only, and has null for all others.
    fares: fares.map(() => null),
    ...(fares.length > 0 && { rideFares: fares.map(presentFare) }),
  };
}

/** `routes 1/2, 3 via Centre`: the routes of every ride, and the places of the transfers. */
function summary(transit: readonly ProfileSegment[]): string {
  if (transit.length === 0) return 'Non-transit options';
  const routes = transit.map(({ routes }) => routes.map((r) => r.shortName ?? r.longName ?? r.id).join('/'));
  const changes = transit.slice(0, -1).map(({ toName }) => toName);
  return `routes ${routes.join(', ')}${changes.length > 0 ? ` via ${changes.join(', ')}` : ''}`;
}

/** Prices are the same at every hour. */
function presentFare(fare: ProfileFare | null): answers.RideFare | null {
  if (fare === null) return null;
  const { price, senior, transferReduction } = fare;
  return { low: price, peak: price, senior, transferReduction };
}

function presentSegment(segment: ProfileSegment): Written<answers.ProfileSegment> {
  return {
    from: segment.from,
    to: segment.to,
    walkTime: segment.walkSeconds,
    walkDistance: Math.trunc(segment.walkMeters),
    waitStats: segment.wait,
    mode: segment.mode,
    fromName: segment.fromName,
    toName: segment.toName,
    rideStats: segment.ride,
    routes: segment.routes.map(({ id, ...route }) => ({ id: EntityId.parse(id), ...route })),
    segmentPatterns: segment.patterns.map(({ patternId, fromIndex, toIndex, trips }) => ({
      patternId,
      fromIndex,
      toIndex,
      nTrips: trips,
    })),
  };
}

function presentStreetSegment({ mode, seconds, edges }: ProfileStreetSegment): Written<answers.StreetSegment> {
  return { mode, time: seconds, streetEdges: edges.map(presentEdge) };
}

function presentEdge({
  edgeId,
  meters,
  geometry,
  step,
  mode,
  pickedUpAt,
  droppedOffAt,
}: ProfileStreetEdge): Written<answers.StreetEdge> {
  return {
    edgeId,
    distance: Math.trunc(meters),
    geometry: { points: geometry.points, length: geometry.length },
    mode,
    ...(step && {
      streetName: step.streetName,
      relativeDirection: step.relative,
      absoluteDirection: step.absolute,
      stayOn: step.stayOn,
      area: step.area,
      bogusName: step.bogusName,
    }),
    ...(pickedUpAt && { bikeRentalOnStation: pickedUpAt }),
    ...(droppedOffAt && { bikeRentalOffStation: droppedOffAt }),
  };
}
