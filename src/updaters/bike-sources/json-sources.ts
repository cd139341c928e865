/** Rental systems that publish one JSON document. */

import type { JSON_RENTAL_SOURCES } from '../../config/updaters.js';
import type { Json } from '../../json.js';
import { numeric, type StationFacts, station, textual } from '../rental-station.js';
import { rowsOf } from '../rows.js';
import type { SourceFacts, StationReader } from './source.js';

/** A reader of the rows that `rows` finds and `usable` keeps. */
function reader(
  rows: (document: Json) => unknown,
  read: (row: Json, facts: SourceFacts) => StationFacts,
  usable: (row: Json) => boolean = () => true,
): StationReader {
  return (content, facts) =>
    rowsOf(rows(JSON.parse(content)), 'stations')
      .filter(usable)
      .map((row) => station(read(row, facts)))
      .filter((found) => found !== undefined);
}

/** New York's and San Francisco's systems share a format. */
function stationBeans(network: string): StationReader {
  return reader(
    (document) => document?.stationBeanList,
    (row, facts) => ({
      id: textual(row.id),
      name: textual(row.stationName),
      lat: numeric(row.latitude),
      lon: numeric(row.longitude),
      bikesAvailable: numeric(row.availableBikes),
      spacesAvailable: numeric(row.availableDocks),
      networks: [facts.network ?? network],
    }),
    (row) => row.statusValue === 'In Service' && row.testStation !== true && row.testStation !== 'true',
  );
}

/** Readers by `sourceType`. */
export const JSON_SOURCES: Readonly<Record<(typeof JSON_RENTAL_SOURCES)[number], StationReader>> = {
  jcdecaux: reader(
    (document) => document,
    (row) => ({
      id: textual(row.number),
      name: textual(row.name),
      lat: numeric(row.position?.lat),
      lon: numeric(row.position?.lng),
      bikesAvailable: numeric(row.available_bikes),
      spacesAvailable: numeric(row.available_bike_stands),
    }),
    (row) => row.status === 'OPEN',
  ),
  'b-cycle': reader(
    (document) => document,
    (row, facts) => ({
      id: textual(row.Id),
      name: textual(row.Name),
      lat: numeric(row.Location?.Latitude),
      lon: numeric(row.Location?.Longitude),
      bikesAvailable: numeric(row.BikesAvailable),
      spacesAvailable: numeric(row.DocksAvailable),
      networks: [facts.network ?? 'B-Cycle'],
    }),
    (row) => row.Status === 'Active',
  ),
  'citi-bike-nyc': stationBeans('CitiBike'),
  'sf-bay-area': stationBeans('BayAreaBikeShare'),
  'share-bike': reader(
    (document) => document?.result?.LiveStationData,
    (row, facts) => {
      const network = facts.systemId;
      const id = textual(row.StationID);
      return {
        id: id && `${network}_${id}`,
        name: textual(row.StationName),
        lat: numeric(row.Latitude),
        lon: numeric(row.Longitude),
        bikesAvailable: numeric(row.AvailableBikeCount),
        spacesAvailable: numeric(row.AvailableSlotCount),
        networks: [network],
      };
    },
    (row) => row.Online === true,
  ),
  'uip-bike': reader(
    (document) => document?.stations,
    (row) => ({
      id: textual(row.id),
      name: textual(row.title),
      lat: numeric(row.center?.latitude),
      lon: numeric(row.center?.longitude),
      bikesAvailable: numeric(row.availability?.bikes),
      spacesAvailable: numeric(row.availability?.locks),
    }),
  ),
  smoove: reader(
    (document) => document?.result,
    (row) => {
      const name = textual(row.name);
      const [lat, lon] = textual(row.coordinates).split(',').map(numeric);
      const on = row.operative !== false;
      return {
        id: name.split(' ', 1)[0] ?? '',
        name: name.slice(name.indexOf(' ') + 1),
        lat: lat ?? Number.NaN,
        lon: lon ?? Number.NaN,
        bikesAvailable: on ? numeric(row.avl_bikes) : 0,
        spacesAvailable: on ? numeric(row.free_slots) : 0,
      };
    },
  ),
  bicimad: reader(
    (document) => document?.stations,
    (row) => ({
      id: textual(row.id),
      name: textual(row.name),
      lat: numeric(row.latitude),
      lon: numeric(row.longitude),
      bikesAvailable: numeric(row.dock_bikes),
      spacesAvailable: numeric(row.free_bases),
    }),
    (row) => numeric(row.activate) === 1,
  ),
  'city-bikes': reader(
    (document) => document,
    (row) => ({
      id: textual(row.id),
      name: textual(row.name),
      lat: numeric(row.lat) / 1e6,
      lon: numeric(row.lng) / 1e6,
      bikesAvailable: numeric(row.bikes),
      spacesAvailable: numeric(row.free),
    }),
  ),
};
