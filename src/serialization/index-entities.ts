/** Entities of the transit index as the interface writes them. Member order is part of the interface. */

import type {
  Agency,
  Cluster,
  Feed,
  FeedDate,
  IndexPattern,
  IndexRoute,
  IndexStop,
  IndexTrip,
  Polyline,
} from '../native/types.js';
import type * as answers from './answers/index.js';
import { milliseconds } from './milliseconds.js';
import type { Written } from './written.js';

/** "Not given" for GTFS integers. */
const UNSET = -999;

/** A feed, from its feed_info.txt. */
export function presentFeed(feed: Feed): Written<answers.Feed> {
  const { id, publisherName, publisherUrl, lang, version } = feed;
  const [startDate, endDate] = [presentDate(feed.startDate), presentDate(feed.endDate)];
  return { id, publisherName, publisherUrl, lang, startDate, endDate, version };
}

function presentDate(date: FeedDate | undefined) {
  if (date === undefined) return undefined;
  const [year = 0, month = 0, day = 0] = [date.text.slice(0, 4), date.text.slice(4, 6), date.text.slice(6, 8)].map(
    Number,
  );
  return { year, month, day, asDate: milliseconds(date.midnight), asString: date.text };
}

/** An agency; its id has no feed. */
export function presentAgency(agency: Agency): Written<answers.Agency> {
  const { id, name, url, timezone, lang, phone, fareUrl, brandingUrl } = agency;
  return { id, name, url, timezone, lang, phone, fareUrl, brandingUrl };
}

/** A stop in a list; `distance` in metres when it was searched for by distance. */
export function presentStopShort(stop: IndexStop, distance?: number): Written<answers.StopShort> {
  const { id, code, name, lat, lon, url, parentStation: cluster } = stop;
  return { id, code, name, lat, lon, url, cluster, dist: distance === undefined ? undefined : Math.trunc(distance) };
}

/** A stop on its own. */
export function presentStop(stop: IndexStop): Written<answers.Stop> {
  return {
    id: stop.id,
    name: stop.name,
    lat: stop.lat,
    lon: stop.lon,
    code: stop.code,
    desc: stop.desc,
    zoneId: stop.zoneId,
    url: stop.url,
    locationType: stop.locationType,
    parentStation: stop.parentStation,
    wheelchairBoarding: stop.wheelchairBoarding,
    direction: stop.direction,
    timezone: stop.timezone,
    vehicleType: stop.vehicleType,
    platformCode: stop.platformCode,
    vehicleTypeSet: stop.vehicleType !== UNSET,
  };
}

/** A route in a list. */
export function presentRouteShort(route: IndexRoute, agency: Agency | undefined): Written<answers.RouteShort> {
  const { id, shortName, longName, mode, color } = route;
  return { id, shortName, longName, mode, color, agencyName: agency?.name };
}

/** A route on its own. */
export function presentRoute(route: IndexRoute, agency: Agency | undefined): Written<answers.Route> {
  return {
    id: route.id,
    agency: agency && presentAgency(agency),
    shortName: route.shortName,
    longName: route.longName,
    type: route.type,
    desc: route.desc,
    url: route.url,
    color: route.color,
    textColor: textColor(route),
    routeBikesAllowed: route.routeBikesAllowed,
    bikesAllowed: route.bikesAllowed,
    sortOrder: route.sortOrder,
    brandingUrl: route.brandingUrl,
    eligibilityRestricted: route.eligibilityRestricted,
    sortOrderSet: route.sortOrder !== UNSET,
  };
}

/** Brightness from 0 to 1 above which text is black. */
const BRIGHT = 0.5;

/** The feed's text colour; black or white, whichever can be read, when it names only a background. */
export function textColor({ color, textColor: given }: Pick<IndexRoute, 'color' | 'textColor'>): string | undefined {
  if (given !== undefined || color === undefined || !/^[0-9a-f]{6}$/i.test(color)) return given;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b) > BRIGHT ? '000000' : 'FFFFFF';
}

/** A pattern in a list. */
export function presentPatternShort(pattern: IndexPattern): Written<answers.PatternShort> {
  return { id: pattern.code, desc: pattern.name || undefined };
}

/** A trip in a list; its shape is written without the feed. */
export function presentTripShort(trip: IndexTrip): Written<answers.TripShort> {
  return {
    id: trip.id,
    tripHeadsign: trip.headsign,
    serviceId: trip.serviceId,
    shapeId: trip.shapeId,
    direction: trip.direction < 0 ? undefined : trip.direction,
  };
}

/** A trip on its own. */
export function presentTrip(trip: IndexTrip, route: IndexRoute, agency: Agency | undefined): Written<answers.Trip> {
  return {
    id: trip.id,
    route: presentRoute(route, agency),
    serviceId: trip.serviceId,
    tripShortName: trip.shortName,
    tripHeadsign: trip.headsign,
    routeShortName: trip.routeShortName,
    directionId: trip.direction < 0 ? undefined : String(trip.direction),
    blockId: trip.blockId,
    shapeId: trip.qualifiedShapeId,
    wheelchairAccessible: trip.wheelchairAccessible,
    tripBikesAllowed: trip.tripBikesAllowed,
    bikesAllowed: trip.bikesAllowed,
    fareId: trip.fareId,
    drtMaxTravelTime: trip.flex?.maxTravelTime,
    drtAvgTravelTime: trip.flex?.avgTravelTime,
    drtAdvanceBookMin: (trip.flex?.advanceBookSeconds ?? 0) / 60,
    drtPickupMessage: trip.flex?.pickupMessage,
    drtDropOffMessage: trip.flex?.dropOffMessage,
    continuousPickupMessage: trip.flex?.continuousPickupMessage,
    continuousDropOffMessage: trip.flex?.continuousDropOffMessage,
  };
}

/** A cluster; with its stops only if requested. */
export function presentCluster(cluster: Cluster, stops?: readonly IndexStop[]): Written<answers.Cluster> {
  const { id, name, lat, lon } = cluster;
  return { id, name, lat, lon, stops: stops?.map((stop) => presentStopShort(stop)) };
}

/** A line; `levels` is never used. */
export function presentPolyline({ points, length }: Polyline): Written<answers.EncodedPolyline> {
  return { points, length };
}
