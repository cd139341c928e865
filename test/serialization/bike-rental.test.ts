/** Rental stations as the interface shows them. */

import test from 'ava';
import { presentStations } from '../../src/serialization/bike-rental.js';
import { station } from '../../src/updaters/rental-station.js';

test('a station says that it is neither a parked bike nor one of cars', (t) => {
  const plain = station({ id: 'a', name: 'A', lat: 48, lon: 15 });
  const { stations } = presentStations(plain === undefined ? [] : [plain]);
  t.deepEqual(Object.entries(stations[0] ?? {}), [
    ['id', 'a'],
    ['name', 'A'],
    ['x', 15],
    ['y', 48],
    ['bikesAvailable', 0],
    ['spacesAvailable', 2_147_483_647],
    ['allowDropoff', true],
    ['isFloatingBike', false],
    ['isCarStation', false],
    ['realTimeData', true],
  ]);
});
