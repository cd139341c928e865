/** Lists of live data beside searches that use it. */

import test from 'ava';
import pino from 'pino';
import { EMPTY_ROUTER_CONFIG } from '../../src/config/router-config.js';
import type { LiveGraph } from '../../src/native/types.js';
import { AddressRule } from '../../src/updaters/feed-address.js';
import { LiveData } from '../../src/updaters/live-data.js';
import { type RentalStation, station } from '../../src/updaters/rental-station.js';

test('stations and parks are listed when searches know them, not before', async (t) => {
  const applied: Array<() => void> = [];
  const graph = {
    staticRentalStations: async () => [],
    setRentalStations: () => new Promise<string[]>((resolve) => applied.push(() => resolve([]))),
  } as unknown as LiveGraph;
  const live = new LiveData(
    graph,
    EMPTY_ROUTER_CONFIG,
    'router-config.json',
    { rule: new AddressRule() },
    pino({ level: 'silent' }),
  );
  const [dock, rack] = [someStation('dock'), someStation('rack')];
  const listed = async () => [await live.stations(), live.parks(), live.hasLiveBikes()];

  const first = live.putStations(0, [dock]);
  const second = live.putParks(1, [rack]);
  t.deepEqual(await listed(), [[], [], false]);
  applied.shift()?.();
  await first;
  t.deepEqual(await listed(), [[dock], [], true]);
  applied.shift()?.();
  await second;
  t.deepEqual(await listed(), [[dock], [rack], true]);
});

function someStation(id: string): RentalStation {
  const made = station({ id, name: id, lat: 41.15, lon: -8.6, bikesAvailable: 1, spacesAvailable: 1 });
  if (made === undefined) throw new Error('the station has all that it needs');
  return made;
}
