/** Vehicles and rental stations of live feeds, in the web client. */

import { tripUpdates, vehiclePosition } from '../support/realtime-feed.js';
import { polledUpdaters, type SourceServer, startSource } from '../support/source-server.js';
import { until } from '../support/until.js';
import { accessibilityProblems, ClientTests, MONDAY, mapIsDrawn, ON_PICTURES, takePicture } from './client-page.js';

let source: SourceServer;
const client = new ClientTests(
  {},
  {
    async config(t) {
      source = await startSource(t);
      return { updaters: polledUpdaters(source) };
    },
    close: () => client.app.deps.registry.evictAll(),
  },
);

const LATE_SECONDS = 240;

/** A trip that is under way at the time of the page, and its next call. */
async function tripUnderWay() {
  for (const { id } of await client.app.json('/routers/village/index/stops')) {
    const path = `/routers/village/index/stops/${encodeURIComponent(id)}/stoptimes?startTime=${MONDAY.getTime() / 1000}`;
    for (const { times } of await client.app.json(`${path}&numberOfDepartures=2`)) {
      const { stopIndex, tripId, serviceDay } = times[0] ?? {};
      if (!(stopIndex > 1) || !tripId.startsWith('city:')) continue;
      const calls = await client.app.json(`/routers/village/index/trips/${encodeURIComponent(tripId)}/stoptimes`);
      const isLeft = (call: any) => serviceDay + call.scheduledDeparture < MONDAY.getTime() / 1000;
      const next = calls.findIndex((call: any) => !isLeft(call));
      if (next > 0) return { trip: tripId.slice('city:'.length), sequence: calls[next].stopSequence };
    }
  }
  throw new Error('no trip is under way');
}

client.test('a click on a vehicle shows its trip, its delay and its next stop', async (t) => {
  const { centerLatitude: lat, centerLongitude: lon } = client.graph.info();
  const { trip, sequence } = await tripUnderWay();
  source.answers['/vehicles'] = vehiclePosition('tram-12', trip, [lat, lon]);
  const delays = { [sequence]: LATE_SECONDS };
  source.answers['/delays'] = tripUpdates([{ trip, date: '20261123', delays }]);
  const states = async () => (await client.app.json('/routers/village/updaters/status')).updaters;
  await until(async () => (await states()).slice(1).every(({ lastSuccess }: any) => lastSuccess !== undefined));

  const { page, errors } = await client.open(t, '#tab=explore', { map: ON_PICTURES ?? 'transit' });
  await mapIsDrawn(page);
  const { x, y } = await client.pixelOf(page, { lat, lon });
  await page.mouse.click(x, y);
  await page.getByText('Vehicle tram-12').waitFor();
  t.true(decodeURIComponent(page.url()).includes('thing=vehicle/tram-12'), decodeURIComponent(page.url()));
  await page.getByText('Next stop: ').waitFor();
  t.regex((await page.locator('.next-stop').textContent()) ?? '', /4 min late/);
  t.true((await page.locator('.calls li.past').count()) > 0);
  t.is(await page.locator('.call-time.canceled').count(), 0, 'live data says nothing of stops that are behind');
  t.deepEqual(await accessibilityProblems(page, 'vehicle-wide'), []);

  await page.locator('.title .line-button').click();
  await page.getByText('1 vehicle on the map').waitFor();
  await page.goBack();
  await page.getByText('Vehicle tram-12').waitFor();
  t.deepEqual(errors, []);
});

client.test('a click on a rental station shows its bikes and spaces, and new numbers without asking', async (t) => {
  const info = client.graph.info();
  const lat = info.centerLatitude + (info.upperRightLatitude - info.centerLatitude) / 2;
  const place = { lat, lon: info.centerLongitude };
  const station = (bikes: number) =>
    JSON.stringify([{ id: 'a', name: 'Market', lat: lat * 1e6, lng: place.lon * 1e6, bikes, free: 1 }]);
  const bikes = async () => (await client.app.json('/routers/village/bike_rental')).stations[0]?.bikesAvailable;
  source.answers['/bikes'] = station(3);
  await until(async () => (await bikes()) === 3);

  const { page, errors } = await client.open(t, '#tab=explore', { map: ON_PICTURES ?? 'transit' });
  await mapIsDrawn(page);
  const { x, y } = await client.pixelOf(page, place);
  await page.mouse.click(x, y);
  await page.getByRole('heading', { name: 'Market' }).waitFor();
  t.deepEqual(await page.locator('.counts dd').allTextContents(), ['3', '1']);
  await takePicture(page, 'rental-wide-light');
  source.answers['/bikes'] = station(5);
  await until(async () => (await bikes()) === 5);
  await page.clock.fastForward(60_000);
  await page.locator('.counts dd').filter({ hasText: '5' }).waitFor();
  await page.getByRole('button', { name: 'From here' }).click();
  t.is(await page.getByRole('combobox', { name: 'Start' }).inputValue(), 'Market');
  t.deepEqual(errors, []);
});
