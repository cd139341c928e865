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

/** The days on which trips run. */
export interface Calendar {
  /** IANA name. */
  timeZone: string;
  /** Day of the first number, `2026-11-23`; absent without transit. */
  firstDate?: string;
  /** Trips of each day. */
  trips: number[];
}

/** A plan, or the reason why there is none. */
export interface PlanAnswer {
  plan?: { itineraries: Itinerary[] };
  error?: PlanError;
}

/** Why there is no plan. */
export interface PlanError {
  id: number;
  /** The interface's text, in English. */
  msg: string;
  /** Name of the error. */
  message: string;
  /** Parameters that it is about, for example `to`. */
  missing?: string[];
  /** Names the place or parameter, in English. */
  reason?: string;
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
  /** Metres. */
  elevationGained: number;
  elevationLost: number;
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
  /** Seconds. */
  arrivalDelay: number;
  realTime: boolean;
  /** Metres. */
  distance: number;
  mode: string;
  route: string;
  agencyName?: string;
  agencyUrl?: string;
  /** Seconds between the vehicles of a trip with frequencies. */
  headway?: number;
  isNonExactFrequency?: boolean;
  routeId?: string;
  tripId?: string;
  tripShortName?: string;
  /** The same vehicle goes on as another trip. */
  interlineWithPreviousLeg?: boolean;
  rentedBike?: boolean;
  boardRule?: string;
  alightRule?: string;
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
  stopId?: string;
  stopCode?: string;
  vertexType?: string;
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
  bogusName: boolean;
  lat: number;
  lon: number;
  /** Distances along the step and heights above the sea, metres. */
  elevation: Array<{ first: number; second: number }>;
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

/** A place that the geocoder found; note `lng`, and the category in front of the description. */
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
