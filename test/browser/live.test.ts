/** Live times and notices in the trips that a browser shows. */

import { tripUpdates } from '../support/realtime-feed.js';
import { ClientTests, MONDAY, ON_PICTURES, styleOf, takePicture } from './client-page.js';

const client = new ClientTests({ insecure: true });

const LATE_SECONDS = 240;
const DAY = Math.floor(MONDAY.getTime() / 1000);

client.test('a late trip shows both times, and notices are in the language of the reader', async (t) => {
  const { from, to } = client.ends();
  const when = 'date=2026-11-23&time=09:00&mode=BUS,TRAM,WALK';
  const { plan } = await client.app.json(
    `/routers/village/plan?fromPlace=${from}&toPlace=${to}&${when}&numItineraries=4`,
  );
  const legs = plan.itineraries.flatMap((itinerary: any) => itinerary.legs);
  const ride = legs.find((leg: any) => leg.transitLeg && !leg.isNonExactFrequency);
  if (!ride) throw new Error('no trip with a timetable');
  const [feedId = '', ...trip] = ride.tripId.split(':');
  const sequences = Array.from({ length: ride.to.stopSequence }, (_, i) => [i + 1, LATE_SECONDS] as const);
  const update = { trip: trip.join(':'), date: ride.serviceDate, delays: Object.fromEntries(sequences) };
  t.like(await client.town.graph.applyTripUpdates(tripUpdates([update]), { feedId, now: DAY }), { updated: 1 });
  const texts = { translations: { en: 'Detour', fr: 'Déviation' } };
  const patch = {
    id: 'p',
    route: ride.routeId,
    alert: { alertHeaderText: texts },
    timePeriods: [{ startTime: DAY - 86_400, endTime: DAY + 86_400 }],
  };
  const body = JSON.stringify({ alertPatches: [patch] });
  const headers = { 'Content-Type': 'application/json' };
  t.is((await client.app.request('/patch/patch', { method: 'POST', body, headers })).status, 200);

  const { page, errors } = await client.open(t, `#from=${from}&to=${to}&without=SUBWAY~RAIL`, {
    locale: 'fr-FR',
    map: ON_PICTURES,
  });
  const card = page.locator('.card', { has: page.locator('.live') }).first();
  await card.getByRole('button').first().click();
  await card.getByText('4 min de retard').waitFor();
  const late = card.locator('.leg-time', { has: page.locator('time.late') }).first();
  const [expected, scheduled] = [await late.locator('time').textContent(), await late.locator('s').textContent()];
  const minutes = (text: string | null) => {
    const [, hour, minute] = /(\d\d):(\d\d)/.exec(text ?? '') ?? [];
    return Number(hour) * 60 + Number(minute);
  };
  t.is(minutes(expected) - minutes(scheduled), LATE_SECONDS / 60);
  t.is(await card.getByText('Déviation').count(), 1);
  await takePicture(page, 'late-wide-light');
  const ground = () => styleOf(card.getByRole('note'), 'backgroundColor');
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme="dark"]').waitFor();
  t.not(await ground(), light);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  t.is(await ground(), light, 'on paper, under black letters');
  t.deepEqual(errors, []);
});
