/** Rental systems that publish one JSON document. */

import { type RentalStation, station } from '../rental-station.js';
import type { SourceFacts, StationReader } from './source.js';

// biome-ignore lint/suspicious/noExplicitAny: data from outside; each reader checks the members that it reads
type Json = any;

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** A reader of the rows that `rows` finds and `usable` keeps. */
function reader(
  rows: (document: Json) => unknown,
  read: (row: Json, facts: SourceFacts) => RentalStation | undefined,
  usable: (row: Json) => boolean = () => true,
): StationReader {
  return (content, facts) =>
    list(rows(JSON.parse(content)))
      .filter(usable)
      .map((row) => read(row, facts))
      .filter((found) => found !== undefined);
}

/** New York's and San Francisco's systems share a format. */
function stationBeans(network: string): StationReader {
  return reader(
    (document) => document.stationBeanList,
    (row, facts) =>
      station({
        id: text(row.id),
        name: text(row.stationName),
        lat: Number(row.latitude),
        lon: Number(row.longitude),
        bikesAvailable: Number(row.availableBikes),
        spacesAvailable: Number(row.availableDocks),
        networks: [facts.network ?? network],
      }),
    (row) => row.statusValue === 'In Service' && row.testStation !== true && row.testStation !== 'true',
  );
}

/** Readers by `sourceType`. */
export const JSON_SOURCES: Readonly<Record<string, StationReader>> = {
  jcdecaux: reader(
    (document) => document,
    (row) =>
      station({
        id: text(row.number),
        name: text(row.name),
        lat: Number(row.position?.lat),
        lon: Number(row.position?.lng),
        bikesAvailable: Number(row.available_bikes),
        spacesAvailable: Number(row.available_bike_stands),
      }),
    (row) => row.status === 'OPEN',
  ),
  'b-cycle': reader(
    (document) => document,
    (row, facts) =>
      station({
        id: text(row.Id),
        name: text(row.Name),
        lat: Number(row.Location?.Latitude),
        lon: Number(row.Location?.Longitude),
        bikesAvailable: Number(row.BikesAvailable),
        spacesAvailable: Number(row.DocksAvailable),
        networks: [facts.network ?? 'B-Cycle'],
      }),
    (row) => row.Status === 'Active',
  ),
  'citi-bike-nyc': stationBeans('CitiBike'),
  'sf-bay-area': stationBeans('BayAreaBikeShare'),
  'share-bike': reader(
    (document) => document.result?.LiveStationData,
    (row, facts) => {
      const network = facts.systemId;
      return station({
        id: `${network}_${text(row.StationID)}`,
        name: text(row.StationName),
        lat: Number(row.Latitude),
        lon: Number(row.Longitude),
        bikesAvailable: Number(row.AvailableBikeCount),
        spacesAvailable: Number(row.AvailableSlotCount),
        networks: [network],
      });
    },
    (row) => row.Online === true,
  ),
  'uip-bike': reader(
    (document) => document.stations,
    (row) =>
      station({
        id: text(row.id),
        name: text(row.title),
        lat: Number(row.center?.latitude),
        lon: Number(row.center?.longitude),
        bikesAvailable: Number(row.availability?.bikes),
        spacesAvailable: Number(row.availability?.locks),
      }),
  ),
  smoove: reader(
    (document) => document.result,
    (row) => {
      const name = text(row.name);
      const [lat, lon] = text(row.coordinates).split(',').map(Number);
      const on = row.operative !== false;
      return station({
        id: name.split(' ', 1)[0] ?? '',
        name: name.slice(name.indexOf(' ') + 1),
        lat: lat ?? Number.NaN,
        lon: lon ?? Number.NaN,
        bikesAvailable: on ? Number(row.avl_bikes) : 0,
        spacesAvailable: on ? Number(row.free_slots) : 0,
      });
    },
  ),
  bicimad: reader(
    (document) => document.stations,
    (row) =>
      station({
        id: text(row.id),
        name: text(row.name),
        lat: Number(row.latitude),
        lon: Number(row.longitude),
        bikesAvailable: Number(row.dock_bikes),
        spacesAvailable: Number(row.free_bases),
      }),
    (row) => Number(row.activate) === 1,
  ),
  'city-bikes': reader(
    (document) => document,
    (row) =>
      station({
        id: text(row.id),
        name: text(row.name),
        lat: Number(row.lat) / 1e6,
        lon: Number(row.lng) / 1e6,
        bikesAvailable: Number(row.bikes),
        spacesAvailable: Number(row.free),
      }),
  ),
};
