/** The members of the server's answers that the client reads; times in epoch milliseconds unless stated otherwise. */

import type { Feature, LineString, MultiPolygon, Point, Polygon } from 'geojson';

/** A registered router. */
export interface RouterInfo {
  routerId: string;
  polygon: Polygon | LineString | Point;
  /** Epoch seconds. */
  transitServiceStarts: number;
  /** Epoch seconds. */
  transitServiceEnds: number;
  travelOptions: Array<{ value: string; name: string }>;
  lowerLeftLatitude: number;
  lowerLeftLongitude: number;
  upperRightLatitude: number;
  upperRightLongitude: number;
}

/** A plan, or the reason why there is none. */
export interface PlanAnswer {
  plan?: { itineraries: Itinerary[] };
  error?: { id: number; msg: string; message: string };
}

/** One way to travel. */
export interface Itinerary {
  /** Seconds. */
  duration: number;
  startTime: number;
  endTime: number;
  /** Seconds. */
  waitingTime: number;
  /** Metres on foot or by bike. */
  walkDistance: number;
  transfers: number;
  fare?: { fare: Record<string, Money> };
  legs: Leg[];
}

/** A price in the currency's smallest unit. */
export interface Money {
  currency: { currencyCode: string; defaultFractionDigits: number };
  cents: number;
}

/** A part of an itinerary in one mode. */
export interface Leg {
  startTime: number;
  endTime: number;
  /** Seconds. */
  departureDelay: number;
  realTime: boolean;
  /** Metres. */
  distance: number;
  mode: string;
  route: string;
  agencyName?: string;
  /** Milliseconds to add to UTC. */
  agencyTimeZoneOffset: number;
  routeColor?: string;
  routeTextColor?: string;
  routeShortName?: string;
  routeLongName?: string;
  headsign?: string;
  from: Place;
  to: Place;
  legGeometry: { points: string };
  alerts?: Alert[];
  transitLeg: boolean;
  /** Seconds. */
  duration: number;
  intermediateStops?: Place[];
  steps: Step[];
}

/** An end of a leg or a stop passed. */
export interface Place {
  name: string;
  lat: number;
  lon: number;
  stopCode?: string;
  platformCode?: string;
  departure?: number;
  arrival?: number;
}

/** One instruction of a street leg. */
export interface Step {
  /** Metres. */
  distance: number;
  relativeDirection: string;
  absoluteDirection?: string;
  streetName: string;
  exit?: string;
  stayOn: boolean;
}

/** A disruption that concerns a leg. */
export interface Alert {
  alertHeaderText?: string;
  alertDescriptionText?: string;
  alertUrl?: string;
}

/** A stop of the index. */
export interface Stop {
  id: string;
  code?: string;
  name: string;
  lat: number;
  lon: number;
}

/** A place that the geocoder found; note `lng`. */
export interface FoundPlace {
  lat: number;
  lng: number;
  description: string;
}

/** A rental station. */
export interface RentalStation {
  name: string;
  /** Longitude. */
  x: number;
  /** Latitude. */
  y: number;
  bikesAvailable: number;
  spacesAvailable: number;
}

/** An isochrone of one cutoff. */
export type IsochroneFeature = Feature<MultiPolygon, { time: number }>;

/** Isochrones. */
export interface Isochrones {
  features: IsochroneFeature[];
}
