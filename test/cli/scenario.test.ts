/** Commands under a scenario. */

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { trestle } from '../support/command.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('trips are planned under a scenario of the graph or of a file', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const directory = await temporaryDirectory(t);
  await copyFile(town.file, path.join(directory, 'Graph.obj'));
  await mkdir(path.join(directory, 'Graph.scenarios'));
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${south + (north - south) * share},${lon}`;
  const trip = ['--from', at(0.2), '--to', at(0.8), '--date', '2026-11-23', '--time', '8:00am', '--json', '-n', '1'];
  const plan = (...extra: string[]) => trestle(['plan', '--graph', directory, ...trip, ...extra]);
  const ride = (out: string) => JSON.parse(out).plan.itineraries[0].legs.find((leg: any) => leg.transitLeg);
  const { tripId, routeId } = ride((await plan()).out);
  const scenario = (modification: object) => JSON.stringify({ modifications: [modification] });
  await writeFile(path.join(directory, 'Graph.scenarios', 'less.json'), scenario({ type: 'remove-trip', tripId }));
  const less = await plan('--scenario', 'less');
  t.is(less.code, 0, less.err);
  t.not(ride(less.out)?.tripId, tripId);
  const file = path.join(directory, 'own.json');
  await writeFile(file, scenario({ type: 'remove-trip', routeId: [routeId, 'x:y'] }));
  const own = await plan('--scenario', file);
  t.not(ride(own.out)?.routeId, routeId);
  t.is(own.err, "modifications[0]: unknown route 'x:y'\n");
  await writeFile(file, scenario({ type: 'remove-trip', routeId: 'x:y' }));
  const unknown = await plan('--scenario', file);
  t.regex(unknown.err, /own\.json: modifications\[0\]: unknown route 'x:y'/);
  t.is(unknown.code, 1);
  t.regex((await plan('--scenario', 'none')).err, /there is no scenario none/);
});
