/** Alerts that are sent to the server, and those of a feed. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

const patch = (members: object) => ({
  id: 'p1',
  alert: { alertHeaderText: 'Detour', alertDescriptionText: { translations: { en: 'Works', pt: 'Obras' } } },
  route: '1:R',
  timePeriods: [{ startTime: 100, endTime: 200 }],
  ...members,
});

async function serve(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags: { insecure: true } });
  const send = async (body: string, type = 'application/json') => {
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    return (await app.request('/patch/patch', init)).json() as Promise<any>;
  };
  return { app, send };
}

test('a patch is listed under its route, in the requested language', async (t) => {
  const { app, send } = await serve(t);
  t.deepEqual(await send(JSON.stringify({ alertPatches: [patch({})] })), { status: 'OK' });
  const [found] = (await app.json('/patch/routePatches?agency=1&id=R&locale=pt')).alertPatches;
  t.like(found, { id: 'p1', route: '1:R', feedId: '1', directionId: -1 });
  t.like(found.alert, { alertHeaderText: 'Detour', alertDescriptionText: 'Obras', effectiveStartDate: 100_000 });
  t.deepEqual(await app.json('/patch/stopPatches?agency=1&id=R'), {});
});

test('the members of a patch are listed as they were sent', async (t) => {
  const { app, send } = await serve(t);
  const list = async (members: object, target: string) => {
    t.deepEqual(await send(JSON.stringify({ alertPatches: [patch({ route: undefined, ...members })] })), {
      status: 'OK',
    });
    return (await app.json(`/patch/${target}`)).alertPatches[0];
  };
  const subject = { trip: '1:T', stop: '2:S', direction: 'inbound', directionId: 1 };
  const found = await list({ ...subject, agencyId: 'A', alert: { alertUrl: 'http://a' } }, 'stopPatches?agency=2&id=S');
  t.like(found, { ...subject, agency: 'A', feedId: '1', alert: { alertUrl: 'http://a' } });
  const other = { stop: '2:S', agency: 'B', directionId: 0.5 };
  t.like(await list(other, 'stopPatches?agency=2&id=S'), { ...other, directionId: -1, feedId: '2' });
  const route = { route: { agencyId: '1', id: 'R' }, feedId: 'F' };
  t.like(await list(route, 'routePatches?agency=1&id=R'), { route: '1:R', feedId: 'F' });
});

test('a text is shown in the language of the locale, else without a language, else in the first one', async (t) => {
  const { app, send } = await serve(t);
  for (const [translations, shown] of [
    [{ en: 'Works', pt: 'Obras' }, 'Works'],
    [{ en: 'Works', '': 'any' }, 'any'],
    [{ en: 'Works', 'fr-CA': 'Travaux' }, 'Travaux'],
    [{ fr: null }, ''],
  ] as const) {
    await send(JSON.stringify({ alertPatches: [patch({ alert: { alertHeaderText: { translations } } })] }));
    const [{ alert }] = (await app.json('/patch/routePatches?agency=1&id=R&locale=fr_FR')).alertPatches;
    t.is(alert.alertHeaderText, shown);
  }
});

test('all patches of a set are checked before any is used', async (t) => {
  const { app, send } = await serve(t);
  const set = (second: object) => JSON.stringify({ alertPatches: [patch({}), second] });
  t.deepEqual(await send(set({ route: '1:R' })), { status: 'Every patch must have an id' });
  for (const route of ['1:', '', { agency: '1' }]) {
    t.deepEqual(await send(set({ id: 'x', route })), { status: 'Every route patch must have a route id' });
  }
  for (const name of ['route', 'trip', 'stop']) {
    t.deepEqual(await send(set({ id: 'x', [name]: 'R' })), { status: `${name}: "R" is not of the form feed:id` });
    t.deepEqual(await send(set({ id: 'x', [name]: { id: 'R' } })), { status: `${name}: agency is missing` });
  }
  for (const name of ['trip', 'stop']) {
    t.deepEqual(await send(set({ id: 'x', [name]: { agency: '1' } })), { status: `${name}: id is missing` });
    t.deepEqual(await send(set({ id: 'x', [name]: { agency: '1', id: '' } })), { status: `${name}: id is missing` });
    for (const id of [':', '1:', ':R']) {
      const status = `${name}: "${id}" is not of the form feed:id`;
      t.deepEqual(await send(set({ id: 'x', [name]: id })), { status });
    }
  }
  t.deepEqual(await app.json('/patch/routePatches?agency=1&id=R'), {});
});

test('a period without an end is open', async (t) => {
  const { app, send } = await serve(t);
  const put = (timePeriods: object[]) => send(JSON.stringify({ alertPatches: [patch({ timePeriods })] }));
  const period = async () => {
    const [{ alert }] = (await app.json('/patch/routePatches?agency=1&id=R')).alertPatches;
    return [alert.effectiveStartDate, alert.effectiveEndDate];
  };
  t.deepEqual(await put([{ startTime: 100, endTime: 200 }, { endTime: 300 }]), { status: 'OK' });
  t.deepEqual(await period(), [100_000, 300_000]);
  t.deepEqual(await put([{ endTime: 300 }]), { status: 'OK' });
  t.deepEqual(await period(), [undefined, 300_000]);
  t.deepEqual(await put([{ startTime: 100 }, { startTime: 50, endTime: 200 }]), { status: 'OK' });
  t.deepEqual(await period(), [50_000, undefined]);
  const refused = { status: 'Times of a period must be whole seconds since 1970' };
  t.deepEqual(await put([{ startTime: 1, endTime: 'tomorrow' }]), refused);
  t.deepEqual(await put([{ startTime: 1, endTime: 1e300 }]), refused);
  for (const timePeriods of [{ startTime: 1, endTime: 2 }, '1-2']) {
    const set = JSON.stringify({ alertPatches: [patch({ timePeriods })] });
    t.deepEqual(await send(set), { status: 'timePeriods is not a list' });
  }
  t.deepEqual(await period(), [50_000, undefined]);
});

test('the dates of a patch are those that it says, whenever it is shown', async (t) => {
  const { app, send } = await serve(t);
  const put = (dates: object) =>
    send(JSON.stringify({ alertPatches: [patch({ alert: { alertHeaderText: 'Detour', ...dates } })] }));
  const dates = async () => {
    const [{ alert }] = (await app.json('/patch/routePatches?agency=1&id=R')).alertPatches;
    return [alert.effectiveStartDate, alert.effectiveEndDate];
  };
  t.deepEqual(await put({ effectiveStartDate: 150_001, effectiveEndDate: '1970-01-01T00:03:00Z' }), { status: 'OK' });
  t.deepEqual(await dates(), [150_001, 180_000]);
  const status =
    'effectiveStartDate and effectiveEndDate must be milliseconds since 1970, or times such as 2026-11-23T07:00:00Z';
  for (const wrong of ['soon', 'soon 1', 1.5, '2026-11-23T07:00:00', '2026-13-23T07:00:00Z', 1e300])
    t.deepEqual(await put({ effectiveStartDate: wrong }), { status });
  t.deepEqual(await dates(), [150_001, 180_000]);
});

test('lists and objects are not texts', async (t) => {
  const { send } = await serve(t);
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const status = 'Texts and numbers of a patch must not be lists or objects';
  for (const [name, value] of Object.entries({
    id: deep,
    direction: '{"to":"A"}',
    directionId: deep,
    stop: `{"id":${deep}}`,
    alert: `{"alertHeaderText":${deep}}`,
    timePeriods: `[{"startTime":${deep}}]`,
  })) {
    const members = { id: '"a"', route: '"1:R"', [name]: value };
    const text = Object.entries(members).map(([key, json]) => `"${key}":${json}`);
    t.deepEqual(await send(`{"alertPatches":[{${text.join(',')}}]}`), { status }, name);
  }
  const translated = { alertHeaderText: { translations: { en: ['Detour'] } } };
  t.deepEqual(await send(JSON.stringify({ alertPatches: [patch({ alert: translated })] })), { status });
});

test('texts in several languages may be entries of keys and values', async (t) => {
  const { app, send } = await serve(t);
  const header = async () => {
    const [{ alert }] = (await app.json('/patch/routePatches?agency=1&id=R&locale=pt')).alertPatches;
    return alert.alertHeaderText;
  };
  const entry = ['en', 'pt'].map((key) => ({ key, value: `closed in ${key}` }));
  const inJson = patch({ alert: { alertHeaderText: { translations: { entry } } } });
  t.deepEqual(await send(JSON.stringify({ alertPatches: [inJson] })), { status: 'OK' });
  t.is(await header(), 'closed in pt');
  const entries = entry.map(({ key, value }) => `<entry><key>${key}</key><value>${value} and XML</value></entry>`);
  const alert = `<alertHeaderText><translations>${entries.join('')}</translations></alertHeaderText>`;
  const members = `<id>p1</id><alert>${alert}</alert><route>1:R</route>`;
  const inXml = `<AlertPatchSet><AlertPatch>${members}</AlertPatch></AlertPatchSet>`;
  t.deepEqual(await send(inXml, 'application/xml'), { status: 'OK' });
  t.is(await header(), 'closed in pt and XML');
});

test('patches may be XML', async (t) => {
  const { app, send } = await serve(t);
  const xml =
    '<AlertPatchSet><AlertPatch><id>x1</id><alert><alertHeaderText>Closed</alertHeaderText></alert>' +
    '<stop><agency>1</agency><id>S</id></stop></AlertPatch></AlertPatchSet>';
  t.deepEqual(await send(xml, 'application/xml'), { status: 'OK' });
  const [found] = (await app.json('/patch/stopPatches?agency=1&id=S')).alertPatches;
  t.like(found, { id: 'x1', stop: '1:S' });
});

test('the periods and texts of an XML patch are read', async (t) => {
  const { app, send } = await serve(t);
  const period = '<timePeriod><startTime>100</startTime><endTime>200</endTime></timePeriod>';
  const xml = (periods: string) =>
    `<AlertPatchSet><AlertPatch><id>x1</id><alert><alertHeaderText>Caf&#233;</alertHeaderText></alert>${periods}<route>1:R</route></AlertPatch></AlertPatchSet>`;
  for (const [periods, start, end] of [
    [`<timePeriods>${period}</timePeriods>`, 100_000, 200_000],
    [`<timePeriods>${period}<timePeriod><startTime>50</startTime></timePeriod></timePeriods>`, 50_000, undefined],
    ['<timePeriods><startTime>7</startTime></timePeriods>', 7000, undefined],
  ] as const) {
    t.deepEqual(await send(xml(periods), 'application/xml'), { status: 'OK' });
    const [{ alert }] = (await app.json('/patch/routePatches?agency=1&id=R')).alertPatches;
    t.is(alert.alertHeaderText, 'Café');
    t.deepEqual([alert.effectiveStartDate, alert.effectiveEndDate], [start, end]);
  }
  t.deepEqual(await send('<AlertPatchSet/>', 'application/xml'), { status: 'OK' });
});

test('a set that cannot be read is refused', async (t) => {
  const { send } = await serve(t);
  t.regex((await send('{')).status, /^not JSON: /);
  const cut = '<AlertPatchSet><AlertPatch><id>x1</id>';
  for (const xml of [cut, `${cut}</AlertPatch></AlertPatchSets>`, '<', '{"alertPatches":[]}', '']) {
    t.regex((await send(xml, 'application/xml')).status, /^not XML: line 1: [^:]+\.$/, xml);
  }
  t.true((await send('<a>'.repeat(10_000), 'application/xml')).status.length < 300, 'not every open element');
  for (const body of ['{}', 'null', '{"alertPatches":{}}']) {
    t.deepEqual(await send(body), { status: 'alertPatches is missing' });
  }
  t.deepEqual(await send('<x/>', 'application/xml'), { status: 'alertPatches is missing' });
});

test('the agency and the id of a subject may be XML attributes', async (t) => {
  const { app, send } = await serve(t);
  const alert = (id: string, subject: string) =>
    `<AlertPatch><id>${id}</id><alert><alertHeaderText lang="en">Closed</alertHeaderText></alert>${subject}</AlertPatch>`;
  const xml = `<AlertPatchSet>${alert('x1', '<stop agency="1" id="S"/>')}${alert('x2', '<route agency="1" id="R"/>')}</AlertPatchSet>`;
  t.deepEqual(await send(xml, 'application/xml'), { status: 'OK' });
  const [stop] = (await app.json('/patch/stopPatches?agency=1&id=S')).alertPatches;
  t.like(stop, { id: 'x1', stop: '1:S', alert: { alertHeaderText: 'Closed' } });
  const [route] = (await app.json('/patch/routePatches?agency=1&id=R')).alertPatches;
  t.like(route, { id: 'x2', route: '1:R' });
});

test('an empty route of an XML patch is refused', async (t) => {
  const { send } = await serve(t);
  const xml = '<AlertPatchSet><AlertPatch><id>x1</id><route/></AlertPatch></AlertPatchSet>';
  t.deepEqual(await send(xml, 'text/xml'), { status: 'Every route patch must have a route id' });
});

test('alerts outlive the server when they have a file', async (t) => {
  // The directory is made with the first alert.
  const alertFile = path.join(await temporaryDirectory(t), 'state/alerts.json');
  const start = () => startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags: { insecure: true, alertFile } });
  const list = async (app: Awaited<ReturnType<typeof start>>) =>
    (await app.json('/patch/routePatches?agency=1&id=R')).alertPatches?.map((found: any) => found.id);
  const first = await start();
  t.is(await list(first), undefined);
  const body = JSON.stringify({ alertPatches: [patch({}), patch({ id: 'p2' })] });
  await first.request('/patch/patch', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  const second = await start();
  t.deepEqual(await list(second), ['p1', 'p2']);
  await writeFile(alertFile, '[{');
  await t.throwsAsync(start(), { message: /alerts\.json: the alerts cannot be read/ });
});
