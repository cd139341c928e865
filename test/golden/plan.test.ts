/**
 * Recorded plan requests against a graph built from the same inputs. Needs `../shared`; without it, it is skipped.
 * Single answers may differ for good reasons, so only the share of accepted ones is checked.
 */

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { configuredBuild } from '../../src/registry/build-options.js';
import { isThere, SHARED } from '../support/needs.js';
import { startApp } from '../support/test-app.js';
import { comparePlans } from './plan-acceptance.js';
import { type Recording, recordings } from './recordings.js';

/** Lowest share of answers that are the same as the recorded ones or better. */
const LEAST_SHARE: Readonly<Record<string, number>> = { poa: 0.94, pdx: 0.85, porto: 0.92 };

const plans = ['plan', 'plan_midday'].flatMap(recordings).filter(({ method, status, path, contentType }) => {
  return method === 'GET' && status === 200 && path.includes('/plan') && contentType === 'application/json';
});

for (const [city, least] of Object.entries(LEAST_SHARE)) {
  const recorded = plans.filter((recording) => recording.city === city);
  const replay = isThere(`a recorded plan of ${city}`, recorded.length > 0) ? test.serial : test.serial.skip;
  replay(`${city}: recorded plans are matched or beaten`, async (t) => {
    t.timeout(300_000);
    const directory = await mkdtemp(path.join(tmpdir(), `trestle-${city}-`));
    t.teardown(() => rm(directory, { recursive: true }));
    await cp(path.join(SHARED, 'data', city), directory, { recursive: true });
    const { Graph } = await loadAddon();
    const { path: file } = await Graph.build(directory, (await configuredBuild(directory)).options);
    const app = await startApp(t, [{ id: city, graph: await Graph.open(file) }]);
    const judge = async (recording: Recording) => {
      const query = new URLSearchParams(recording.path.slice(recording.path.indexOf('?')));
      const verdict = comparePlans(JSON.parse(String(recording.body)), await app.json(recording.path), query);
      const accepted = verdict.kind === 'same' || verdict.kind === 'better';
      if (!accepted) t.log(`${recording.name}: ${verdict.kind}, ${verdict.notes.join('; ')}`);
      return accepted;
    };
    let accepted = 0;
    for (const recording of recorded) if (await judge(recording)) accepted += 1;
    t.log(`${accepted} of ${recorded.length} accepted`);
    t.true(accepted >= least * recorded.length);
  });
}
