/** Rental stations as the interface shows them. */

import type { RentalStation } from '../updaters/rental-station.js';
import type { RentalStations, RentalStation as SentStation } from './answers/index.js';
import type { Written } from './written.js';

/** Root element in XML. */
export const STATION_LIST_ROOT = 'BikeRentalStationList';

/** The list; unknown values are left out. */
export function presentStations(stations: readonly RentalStation[]): Written<RentalStations> {
  return { stations: stations.map(presentStation) };
}

function presentStation(station: RentalStation): Written<SentStation> {
  return {
    id: station.id,
    name: station.name,
    x: station.lon,
    y: station.lat,
    bikesAvailable: station.bikesAvailable,
    spacesAvailable: station.spacesAvailable,
    allowDropoff: station.allowDropoff,
    isFloatingBike: station.isFloatingBike,
    isCarStation: station.isCarStation,
    ...(station.networks === undefined ? {} : { networks: station.networks }),
    realTimeData: station.realTimeData,
  };
}
