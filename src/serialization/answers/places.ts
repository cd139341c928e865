/** Answers about places by name, rental stations and alerts. */

import { flag, integer, list, named, number, optional, type Static, text } from './schema.js';

export const FoundPlace = named(
  'FoundPlace',
  {
    lat: number('Degrees'),
    lng: number('Degrees'),
    description: text('Kind and name, and the code of a stop'),
    id: optional(text('`feed_stop` of a stop, id of a cluster')),
  },
  'A place that was found by its name',
);
export type FoundPlace = Static<typeof FoundPlace>;

export const FoundPlaces = list(FoundPlace, 'The best first');
export type FoundPlaces = Static<typeof FoundPlaces>;

const FoundAddress = named(
  'FoundAddress',
  { lat: number('Degrees'), lng: number('Degrees'), description: text() },
  'A place that a geocoder found',
);

export const Addresses = named(
  'Addresses',
  { results: optional(list(FoundAddress)), error: optional(text()), count: integer() },
  'What the configured geocoders found, or why they found nothing',
);
export type Addresses = Static<typeof Addresses>;

export const Municipality = named(
  'Municipality',
  { name: optional(text()) },
  'The municipality of a location, if known',
);
export type Municipality = Static<typeof Municipality>;

export const RentalStation = named(
  'RentalStation',
  {
    id: text(),
    name: text(),
    x: number('Longitude, degrees'),
    y: number('Latitude, degrees'),
    bikesAvailable: integer(),
    spacesAvailable: integer('2147483647 when it is not known'),
    allowDropoff: flag(),
    isFloatingBike: flag('A bike parked outside stations'),
    isCarStation: flag(),
    networks: optional(list(text())),
    realTimeData: flag('The numbers are current'),
  },
  'A rental station, or a bike parked outside stations',
);
export type RentalStation = Static<typeof RentalStation>;

export const RentalStations = named('RentalStations', { stations: list(RentalStation) }, 'Rental stations');
export type RentalStations = Static<typeof RentalStations>;

export const AlertPatch = named(
  'AlertPatch',
  {
    id: text(),
    alert: named(
      'PatchedAlert',
      {
        alertHeaderText: optional(text()),
        alertDescriptionText: optional(text()),
        alertUrl: optional(text()),
        effectiveStartDate: optional(integer('Epoch milliseconds')),
        effectiveEndDate: optional(integer('Epoch milliseconds; absent when no end is known')),
      },
      'A disruption with its period',
    ),
    agency: optional(text()),
    route: optional(text('`feed:route`')),
    trip: optional(text('`feed:trip`')),
    stop: optional(text('`feed:stop`')),
    direction: optional(text()),
    feedId: text(),
    directionId: integer('-1 for both'),
    serviceDate: optional(text('`YYYYMMDD`: the day of the trips that it is about; absent for all days')),
    startTime: optional(
      integer(
        'Seconds of the service day: the first departure of the one run that it is about, if no id says which run it is',
      ),
    ),
  },
  'An alert and what it is about',
);
export type AlertPatch = Static<typeof AlertPatch>;

export const AlertPatches = named(
  'AlertPatches',
  { alertPatches: optional(list(AlertPatch, 'Absent when there are none')) },
  'Alerts',
);
export type AlertPatches = Static<typeof AlertPatches>;

export const PatchOutcome = named(
  'PatchOutcome',
  { status: text('`OK`, or what is wrong') },
  'Outcome of adding alerts',
);
export type PatchOutcome = Static<typeof PatchOutcome>;
