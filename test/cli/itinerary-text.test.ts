import test from 'ava';
import { itinerariesText } from '../../src/cli/plan/itinerary-text.js';
import { clocksOf } from '../support/clocks.js';
import { busTrip } from '../support/fake-graph.js';

test('itineraries are shown leg by leg in the time of the graph', (t) => {
  const { plan } = busTrip();
  if (!plan) return t.fail();
  t.is(
    itinerariesText(plan, clocksOf('America/Sao_Paulo')),
    `Origin → Destination, 2019-05-13

1. 09:00 – 09:15  (15 min, 0 transfers, 580 m on foot or bike, regular R$ 4.70)
   09:00 – 09:03  walk 290 m to Rua A & B <1> (3 min)
   09:05 – 09:13  bus 15: Rua A & B <1> → Centro (8 min)
   09:13 – 09:15  walk 290 m to Destination (2 min)
`,
  );
});

test('itineraries on other days than the requested one show their date', (t) => {
  const { plan } = busTrip();
  if (!plan) return t.fail();
  const nextDay = plan.itineraries.map((itinerary) => ({
    ...itinerary,
    legs: [],
    startTime: itinerary.startTime + 86_400,
  }));
  const late = { ...plan, itineraries: [...plan.itineraries, ...nextDay] };
  const heads = itinerariesText(late, clocksOf('America/Sao_Paulo')).match(/^\d\. .*:\d\d {2}/gm);
  t.deepEqual(heads, ['1. 09:00 – 09:15  ', '2. 2019-05-14 09:00 – 09:15  ']);
});

test('delays, headsigns, hours and kilometres are shown', (t) => {
  const { plan } = busTrip();
  const [itinerary] = plan?.itineraries ?? [];
  const [walk, bus] = itinerary?.legs ?? [];
  if (!plan || !itinerary || !walk || !bus?.transit) return t.fail();
  const start = itinerary.startTime;
  const legs = [
    { ...walk, distance: 12_345, startTime: start, endTime: start + 20 },
    { ...walk, startTime: start, endTime: start + 59 },
    { ...bus, transit: { ...bus.transit, headsign: 'Centro' }, departureDelay: 90 },
    { ...bus, departureDelay: -60, startTime: start, endTime: start + 7500 },
  ];
  const long = { ...itinerary, legs, transfers: 1, walkDistance: 999.6, endTime: start + 3600 };
  t.deepEqual(
    itinerariesText({ ...plan, itineraries: [long] }, clocksOf('America/Sao_Paulo'))
      .split('\n')
      .slice(2),
    [
      '1. 09:00 – 10:00  (1 h 00 min, 1 transfer, 1.0 km on foot or bike, regular R$ 4.70)',
      '   09:00 – 09:00  walk 12.3 km to Rua A & B <1> (20 s)',
      '   09:00 – 09:00  walk 290 m to Rua A & B <1> (59 s)',
      '   09:05 – 09:13  bus 15 towards Centro: Rua A & B <1> → Centro (8 min, 2 min late)',
      '   09:00 – 11:05  bus 15: Rua A & B <1> → Centro (2 h 05 min, 1 min early)',
      '',
    ],
  );
});

test('a way that is too steep for wheelchairs is marked', (t) => {
  const { plan } = busTrip();
  const [itinerary] = plan?.itineraries ?? [];
  if (!plan || !itinerary) return t.fail();
  const steep = { ...itinerary, legs: [], fare: [], tooSloped: true };
  t.is(
    itinerariesText({ ...plan, itineraries: [steep] }, clocksOf('America/Sao_Paulo')).split('\n')[2],
    '1. 09:00 – 09:15  (15 min, 0 transfers, 580 m on foot or bike, steeper than the limit for wheelchairs)',
  );
});
