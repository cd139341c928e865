/** Legs, places, steps and alerts as the interface writes them. Member order is part of the interface. */

import type { Alert, Leg, Place, Step } from '../native/types.js';
import type * as answers from './answers/index.js';
import { EntityId } from './entity-id.js';
import { milliseconds } from './milliseconds.js';
import type { Written } from './written.js';

export function presentLeg(leg: Leg): Written<answers.Leg> {
  const { transit } = leg;
  const frequency = transit?.headway !== undefined;
  return {
    startTime: milliseconds(leg.startTime),
    endTime: milliseconds(leg.endTime),
    departureDelay: leg.departureDelay,
    arrivalDelay: leg.arrivalDelay,
    realTime: leg.realTime,
    isNonExactFrequency: frequency ? true : undefined,
    headway: transit?.headway,
    distance: leg.distance,
    pathway: leg.pathway,
    mode: leg.mode,
    route: transit?.route ?? '',
    agencyName: transit?.agencyName,
    agencyUrl: transit?.agencyUrl,
    agencyTimeZoneOffset: milliseconds(leg.agencyUtcOffset),
    routeColor: transit?.routeColor,
    routeType: transit?.routeType,
    routeId: EntityId.parse(transit?.routeId),
    routeTextColor: transit?.routeTextColor,
    interlineWithPreviousLeg: transit?.interlineWithPrevious ?? false,
    tripShortName: transit?.tripShortName,
    tripBlockId: transit?.blockId,
    headsign: transit?.headsign,
    agencyId: transit?.agencyId,
    tripId: EntityId.parse(transit?.tripId),
    serviceDate: transit?.serviceDate,
    from: presentPlace(leg.from),
    to: presentPlace(leg.to),
    legGeometry: { points: leg.geometry.points, levels: undefined, length: leg.geometry.length },
    ...(leg.alerts.length > 0 && { alerts: leg.alerts.map(presentAlert) }),
    routeShortName: transit?.routeShortName,
    routeLongName: transit?.routeLongName,
    boardRule: transit?.boardRule,
    alightRule: transit?.alightRule,
    rentedBike: leg.rentedBike,
    callAndRide: false,
    flexDrtAdvanceBookMin: 0,
    transitLeg: transit !== undefined,
    duration: milliseconds(leg.endTime - leg.startTime) / 1000,
    ...(leg.intermediateStops && { intermediateStops: leg.intermediateStops.map(presentPlace) }),
    steps: leg.steps.map(presentStep),
  };
}

/** An end of a leg, a stop passed, or an end of the whole plan. */
export function presentPlace(place: Place): Written<answers.Place> {
  return {
    name: place.name,
    stopId: EntityId.parse(place.stopId),
    stopCode: place.stopCode,
    platformCode: place.platformCode,
    lon: place.lon,
    lat: place.lat,
    arrival: milliseconds(place.arrival),
    departure: milliseconds(place.departure),
    orig: place.orig,
    zoneId: place.zoneId,
    stopIndex: place.stopIndex,
    stopSequence: place.stopSequence,
    vertexType: place.vertexType,
    bikeShareId: place.bikeShareId,
    ...(place.vertexType === 'TRANSIT' && { boardAlightType: 'DEFAULT' }),
  };
}

function presentStep(step: Step): Written<answers.Step> {
  return {
    distance: step.distance,
    relativeDirection: step.relative,
    streetName: step.streetName,
    absoluteDirection: step.absolute,
    exit: step.exit,
    stayOn: step.stayOn,
    area: step.area,
    bogusName: step.bogusName,
    lon: step.lon,
    lat: step.lat,
    elevation: elevationPairs(step.elevation),
    ...(step.alerts.length > 0 && { alerts: step.alerts.map(presentAlert) }),
  };
}

function elevationPairs(flat: ArrayLike<number>): Written<answers.Step['elevation']> {
  const pairs = [];
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push({ first: flat[i] ?? 0, second: flat[i + 1] ?? 0 });
  return pairs;
}

function presentAlert(alert: Alert): Written<answers.Alert> {
  return {
    alertHeaderText: alert.header,
    alertDescriptionText: alert.description,
    alertUrl: alert.url,
    effectiveStartDate: milliseconds(alert.effectiveStart),
  };
}
