/** Scripts that clients send, over a real town. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const town = builtBefore(test, buildSampleTown);

async function setUp(t: ExecutionContext, flags = {}) {
  const pointSets = await temporaryDirectory(t);
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  await writeFile(path.join(pointSets, 'jobs.csv'), `lat,lon,jobs\n${lat},${lon},10000\n0,0,5\n`);
  const all = { insecure: true, enableScriptingWebService: true, analyst: true, pointSets, ...flags };
  const app = await startApp(t, [{ id: 'town', graph: sharedGraph(town.graph) }], { flags: all });
  const send = async (source: string, name = 'test.js', part = 'scriptfile') => {
    const body = new FormData();
    body.append(part, new Blob([source]), name);
    const answer = await app.request('/scripting/run', { method: 'POST', body });
    return `${answer.status} ${await answer.text()}`;
  };
  return { app, send };
}

/** Parameters of a trip across the village, as the text of an object. */
function journey(): string {
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(6)},${lon}`;
  return JSON.stringify({ fromPlace: at(0.2), toPlace: at(0.8), date: '2026-11-23', time: '8:00am' });
}

test('scripts are refused unless the server allows them', async (t) => {
  const { app, send } = await setUp(t, { enableScriptingWebService: false });
  const refused = '403 Scripting web-service is desactivated for security reasons.\n';
  t.is(await send('1'), refused);
  const bare = await app.request('/scripting/run', { method: 'POST', body: 'x' });
  t.is(`${bare.status} ${await bare.text()}`, refused);
});

test('scripts need the role', async (t) => {
  const { send } = await setUp(t, { insecure: false });
  t.is(await send('1'), '401 this needs the role ROLE_ROUTERS\n');
});

test('the value of the script is the answer', async (t) => {
  const { app, send } = await setUp(t);
  t.is(await send('6 * 7'), '200 42');
  t.is(await send('null'), '200 ');
  t.is(await send('export default otp.routers().length', 'm.mjs'), '200 1');
  t.regex(await send('nope'), /^500 ReferenceError: .*nope/);
  t.regex(await send('otp.router(5)'), /^400 Error: Graph id '5' not registered/);
  t.is(
    await send('print 1', 'old.py'),
    '415 Python cannot be run here; scripts are JavaScript, in a file named .js or .mjs\n',
  );
  t.is(await send('1', 'a.js', 'file'), '400 scriptfile: a file is required\n');
  t.is((await app.request('/scripting/run', { method: 'POST', body: 'x' })).status, 415);
  const headers = { 'Content-Type': 'multipart/form-data' };
  t.is((await app.request('/scripting/run', { method: 'POST', headers, body: 'x' })).status, 400);
  t.is((await send(' '.repeat(1024 * 1024 + 1))).slice(0, 3), '413');
});

test('a script may be a file without a type, and has to be UTF-8', async (t) => {
  const { app } = await setUp(t);
  const headers = { 'Content-Type': 'multipart/form-data; boundary=edge' };
  const send = async (script: Uint8Array) => {
    const start = '--edge\r\nContent-Disposition: form-data; name="scriptfile"; filename="a.js"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(start), script, Buffer.from('\r\n--edge--\r\n')]);
    const answer = await app.request('/scripting/run', { method: 'POST', headers, body });
    return `${answer.status} ${answer.headers.get('Content-Type')} ${await answer.text()}`;
  };
  t.is(await send(Buffer.from("'Käse'")), '200 text/plain; charset=utf-8 Käse');
  t.is(await send(Buffer.from(`'${'ä'.repeat(300_000)}'.length`)), '200 text/plain 300000');
  t.is(await send(Buffer.from("'Käse'", 'latin1')), '400 text/plain the body is not in UTF-8\n');
});

test('scripts plan as clients do', async (t) => {
  const { app, send } = await setUp(t);
  const query = new URLSearchParams(JSON.parse(journey()));
  const { plan } = await app.json(`/routers/town/plan?${query}`);
  const planned = `otp.router('town').plan(${journey()}).plan.itineraries.map((i) => i.duration)`;
  t.is(await send(planned), `200 ${JSON.stringify(plan.itineraries.map((i: any) => i.duration))}`);
  t.regex(await send(`otp.router('nowhere').plan(${journey()})`), /^400 Error: Graph id 'nowhere' not registered/);
  t.regex(await send("otp.router().surface({ fromPlace: 'x' })"), /^400 Error: vertices not found: \[from\]/);
  t.regex(await send("Promise.reject(1).catch(() => otp.router('nowhere'))"), /^400 Error: Graph id 'nowhere'/);
  t.is(await send("try { otp.router('nowhere') } catch { 'none' }"), '200 none');
  t.is(await send(`otp.router().plan({ date: 'x' }).error.message`), '200 BOGUS_PARAMETER');
});

test('scripts search surfaces and count points', async (t) => {
  const { app, send } = await setUp(t);
  const surface = `const surface = otp.router('town').surface({ ...${journey()}, cutoffMinutes: 60 });`;
  t.is(await send('otp.pointSets()'), '200 ["jobs"]');
  const table = await send(`${surface}
    const jobs = otp.pointSet('jobs');
    const table = otp.csv(['lat', 'jobs', 'reached']);
    surface.times(jobs).forEach((s, i) => table.add(jobs.features[i].lat, jobs.features[i].properties.jobs, s !== null));
    table`);
  t.is(table, `200 lat,jobs,reached\n${town.graph.info().centerLatitude},10000,true\n0,5,false\n`);
  const query = new URLSearchParams({ ...JSON.parse(journey()), cutoffMinutes: '60' });
  await app.request(`/surfaces?${query}`, { method: 'POST' });
  const { data } = await app.json('/surfaces/0/indicator?targets=jobs');
  t.is(await send(`${surface} surface.indicator(otp.pointSet('jobs')).data`), `200 ${JSON.stringify(data)}`);
  t.is(await send(`${surface} surface.contours(15, 2).features.length`), '200 2');
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const own = `otp.points([{ id: 'a', lat: ${lat}, lon: ${lon}, beds: 3 }])`;
  t.regex(await send(`${surface} surface.times(${own})[0] > 0`), /^200 true/);
  t.is(await send(`${own}.features[0].properties.beds`), '200 3');
  t.regex(
    await send(`otp.router().matrix([[${lat}, ${lon}]], [[${lat}, ${lon}], [0, 0]], ${journey()})`),
    /^200 \[\[\d+,null\]\]$/,
  );
  t.is(await send(`otp.router().matrix([[${lat}, ${lon}]], [], ${journey()})`), '200 []');
  t.regex(await send('otp.pointSet("none")'), /^400 Error: there is no point set none/);
  t.regex(await send('otp.points([{ lat: "x" }])'), /^400 Error: points: place 1 is not \[lat, lon\]/);
  t.is(await send(`otp.points([{ id: 7, lat: ${lat}, lon: ${lon} }]).features[0].properties`), '200 {}');
  for (const beds of ['2.5', '5e9', '-(2 ** 31)', 'NaN, beds2: 1e300']) {
    const refused = await send(`otp.points([{ lat: 1, lon: 1, beds: 1 }, { lat: 1, lon: 1, beds: ${beds} }])`);
    t.regex(refused, /^400 Error: points: place 2, beds2?: ".*" is not a whole number/, beds);
  }
});

test('a surface of a script may be that of a window', async (t) => {
  const { app, send } = await setUp(t);
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const window = { ...JSON.parse(journey()), window: '60', percentiles: '95', cutoffMinutes: '60' };
  const query = new URLSearchParams({ ...window, batch: 'true' });
  const stored = await app.request(`/surfaces?${query}`, { method: 'POST' });
  const { id } = ((await stored.json()) as any).percentiles[0];
  const { times } = await app.json(`/surfaces/${id}/indicator?targets=jobs&detail=true`);
  const own = `otp.points([{ lat: ${lat}, lon: ${lon} }])`;
  const text = JSON.stringify(window);
  t.is(await send(`otp.router().surface(${text}).times(${own})`), `200 [${times[0]}]`);
  t.not(await send(`otp.router().surface({ ...${text}, percentiles: '5' }).times(${own})`), `200 [${times[0]}]`);
  t.regex(
    await send(`otp.router().surface({ ...${text}, percentiles: '5,95' })`),
    /^400 Error: percentiles: a surface of a script can have only one/,
  );
});

test('the memory that scripts hold in the server is limited', async (t) => {
  const { send } = await setUp(t, { maxScriptBytes: 8 * 1024 ** 2 });
  const wide = `const rows = Array.from({ length: 20000 }, () => ({ lat: 48, lon: 15 }));
    for (let k = 0; k < 500; k += 1) rows[0]['p' + k] = k;
    otp.points(rows)`;
  t.regex(await send(wide), /^400 Error: a set of 20000 points with 500 numbers each is too large for 8388608 bytes/);
  const many = `const id = 'z'.repeat(1000);
    for (;;) otp.points(Array.from({ length: 500 }, () => ({ id, lat: 48, lon: 15 })))`;
  t.regex(await send(many), /^400 Error: surfaces and point sets of more than 33554432 bytes/);
});

test('endless scripts end, and other requests are served while they run', async (t) => {
  const { app, send } = await setUp(t, { maxScriptMs: 3000 });
  const endless = [send('for (;;) {}'), send('for (;;) otp.routers()')];
  // When both threads are busy, a third script is refused; clients are not.
  await until(async () => (await send('1')).startsWith('503 '));
  t.is((await app.get('/routers/town')).status, 200);
  for (const answer of await Promise.all(endless)) t.is(answer, '500 the script ran for longer than 3000 ms\n');
  await until(async () => (await send('1')) === '200 1');
  t.is(await send('1'), '200 1');
});
