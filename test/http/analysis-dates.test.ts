/** Analyses at times outside the timetables: streets remain. */

import test from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import { buildGraph, builtBefore, sharedGraph } from '../support/built-graph.js';
import { startApp } from '../support/test-app.js';

/** A town whose service has ended, so that requests without a date are for a later time. */
const town = builtBefore(test, () => {
  const period = { from: '2020-01-01', to: '2020-12-31' };
  return buildGraph((directory) => writeSample(directory, { seed: 1, size: 'village', period }));
});

test('analyses without vehicles are answered without a date and outside the timetables', async (t) => {
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }], { flags: { analyst: true } });
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const router = '/routers/default';
  const x = Math.floor(((lon + 180) / 360) * 2 ** 14);
  const y = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** 14);
  const matrix = JSON.stringify({ origins: [[lat, lon]], destinations: [[lat + 0.002, lon]] });
  const resources: Array<[method: string, path: string]> = [
    ['GET', `${router}/isochrone?cutoffSec=900`],
    ['GET', `${router}/timegrid?maxTimeSec=900`],
    ['GET', `${router}/isochroneOld?walkTime=15`],
    ['GET', `${router}/simpleIsochrone?requestTimespanHours=1&radiusMeters=1000`],
    ['GET', `${router}/analyst/tile/14/${x}/${y}.png?`],
    ['POST', `${router}/matrix?`],
    ['POST', '/surfaces?batch=true'],
    ['POST', '/surfaces?batch=true&window=10'],
  ];
  const answer = async (method: string, path: string) => {
    const sent = path.includes('/matrix') ? { body: matrix, headers: { 'Content-Type': 'application/json' } } : {};
    const response = await app.request(path, { method, ...sent });
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    t.is(response.status, 200, `${path}: ${text}`);
    // Features and surfaces get new ids each time, and images say when they were made, before the checksum of that.
    return text
      .replace(/"f?id":"?[\w-]+"?|"id":\d+/g, '')
      .replace(/"params":\{[^}]*\}/g, '')
      .replace(/\w{3}, [\w ]+ [\d:]{8} GMT[\s\S]{4}/, '');
  };
  for (const [method, path] of resources) {
    const from = `${path}&fromPlace=${lat},${lon}`;
    const later = await answer(method, `${from}&date=2035-05-05&time=8:00`);
    t.is(await answer(method, from), later, `${path}, without a date`);
    if (path.includes('matrix')) t.regex(later, /\[\[\d+\]\]/);
    else if (!path.startsWith('/surfaces')) t.true(later.length > 500, `${path}: ${later}`);
  }
  const { error } = await app.json(`${router}/plan?fromPlace=${lat},${lon}&toPlace=${lat + 0.002},${lon}`);
  t.is(error.message, 'NO_TRANSIT_TIMES', 'a plan says so');
});
