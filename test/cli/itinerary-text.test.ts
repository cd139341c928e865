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
   09:00 – 09:03  walk 290 m to Rua A & B <1> (4 min)
   09:05 – 09:13  bus 15: Rua A & B <1> → Centro (8 min)
   09:13 – 09:15  walk 290 m to Destination (2 min)
`,
  );
});
