/** How the interface describes a registered router. */

import type { GraphInfo, ServiceDays as NativeServiceDays } from '../native/types.js';
import type { RouterInfo, RouterList, ServiceDays } from './answers/index.js';
import { milliseconds } from './milliseconds.js';
import type { Written } from './written.js';

/** Root elements in XML. */
export const ROUTER_ROOT = 'RouterInfo';
export const ROUTER_LIST_ROOT = 'RouterList';

/**
 * The start of the service when there is no transit: the greatest double below 2^63, which clients can read as a signed
 * 64-bit integer.
 */
const NEVER_STARTS = 2 ** 63 - 1024;

/** One router under the requested id; `info` includes the rental stations and bike parks of its feeds. */
export function presentRouter(routerId: string, info: GraphInfo): Written<RouterInfo> {
  return {
    routerId,
    polygon: presentHull(info.polygon),
    buildTime: milliseconds(info.buildTime),
    transitServiceStarts: info.transitServiceStarts ?? NEVER_STARTS,
    transitServiceEnds: info.transitServiceEnds ?? 0,
    transitModes: info.transitModes,
    centerLatitude: info.centerLatitude,
    centerLongitude: info.centerLongitude,
    hasParkRide: info.hasParkRide,
    travelOptions: travelOptions(info),
    lowerLeftLongitude: info.lowerLeftLongitude,
    lowerLeftLatitude: info.lowerLeftLatitude,
    upperRightLongitude: info.upperRightLongitude,
    upperRightLatitude: info.upperRightLatitude,
    hasBikeSharing: info.hasBikeSharing,
    hasBikePark: info.hasBikePark,
    transitArea: info.transitArea,
  };
}

export function presentRouterList(
  routers: ReadonlyArray<readonly [routerId: string, info: GraphInfo]>,
): Written<RouterList> {
  return { routerInfo: routers.map(([routerId, info]) => presentRouter(routerId, info)) };
}

/** Numbers of trips by day; without transit there are none, and no first day. */
export function presentServiceDays(timeZone: string, days: NativeServiceDays | undefined): Written<ServiceDays> {
  const first = days?.first.replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3');
  return { timeZone, firstDate: first, trips: days?.trips ?? [] };
}

/** The hull as a GeoJSON geometry: a polygon, or less for a graph of one line or point. */
function presentHull(flat: ArrayLike<number>): RouterInfo['polygon'] {
  const points: Array<[lon: number, lat: number]> = [];
  for (let i = 0; i + 1 < flat.length; i += 2) points.push([flat[i] ?? 0, flat[i + 1] ?? 0]);
  if (points.length > 3) return { type: 'Polygon', coordinates: [southernmostFirst(points)] };
  if (points.length > 1) return { type: 'LineString', coordinates: points.slice(0, 2) };
  return { type: 'Point', coordinates: points[0] ?? [0, 0] };
}

/** A closed ring clockwise from its southernmost point, as in the reference. */
function southernmostFirst(ring: ReadonlyArray<[lon: number, lat: number]>): Array<[lon: number, lat: number]> {
  const corners = ring.slice(0, -1);
  const area = corners.reduce((sum, [lon, lat], i) => {
    const [nextLon, nextLat] = ring[i + 1] ?? [lon, lat];
    return sum + lon * nextLat - nextLon * lat;
  }, 0);
  if (area > 0) corners.reverse();
  const south = corners.reduce((best, [, lat], i) => (lat < (corners[best]?.[1] ?? lat) ? i : best), 0);
  const turned = [...corners.slice(south), ...corners.slice(0, south)];
  return turned[0] ? [...turned, turned[0]] : turned;
}

/** Combinations of modes that a client may offer, in the order of the interface. */
function travelOptions(info: GraphInfo) {
  const options: Array<{ value: string; name: string }> = [];
  const offer = (value: string, name: string) => options.push({ value, name });
  const transit = info.transitModes.length > 0;
  if (transit) {
    offer('TRANSIT,WALK', 'TRANSIT');
    for (const mode of info.transitModes) offer(`${mode},WALK`, mode);
  }
  for (const mode of ['WALK', 'BICYCLE', 'CAR']) offer(mode, mode);
  if (info.hasBikeSharing) offer('WALK,BICYCLE_RENT', 'BICYCLERENT');
  if (transit) {
    offer('TRANSIT,BICYCLE', 'TRANSIT_BICYCLE');
    if (info.hasBikeSharing) offer('TRANSIT,WALK,BICYCLE_RENT', 'TRANSIT_BICYCLERENT');
    if (info.hasParkRide) offer('CAR_PARK,WALK,TRANSIT', 'PARKRIDE');
    if (info.hasBikePark) offer('BICYCLE_PARK,WALK,TRANSIT', 'BIKERIDE');
    offer('CAR,WALK,TRANSIT', 'KISSRIDE');
  }
  return options;
}
