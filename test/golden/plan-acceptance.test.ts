import test from 'ava';
import { isThere } from '../support/needs.js';
import { comparePlans } from './plan-acceptance.js';
import { type Recording, recordings } from './recordings.js';

const plans = ['plan', 'plan_midday']
  .flatMap((area) => recordings(area))
  .filter(({ contentType, path, status }) => {
    return status === 200 && contentType === 'application/json' && path.includes('/plan?');
  });
const replay = isThere('a recorded plan', plans.length > 0) ? test : test.skip;
const query = ({ path }: Recording) => new URLSearchParams(path.slice(path.indexOf('?')));
const parsed = ({ body }: Recording) =>
  body.length > 0 && body[0] === 0x7b ? JSON.parse(body.toString('utf8')) : undefined;

replay('a recorded answer is accepted as an answer to itself', (t) => {
  for (const recording of plans) {
    const answer = parsed(recording);
    if (answer) t.is(comparePlans(answer, answer, query(recording)).kind, 'same', recording.name);
  }
});

replay('an answer that is later, more expensive, incomplete or contradictory is not accepted', (t) => {
  const recording = plans.find((candidate) =>
    parsed(candidate)?.plan?.itineraries[0].legs.some((l: any) => l.transitLeg),
  );
  if (!recording) return t.fail('no recorded transit plan');
  const spoilt = (spoil: (answer: any) => void) => {
    const answer = parsed(recording);
    for (const itinerary of answer.plan.itineraries) spoil(itinerary);
    return comparePlans(parsed(recording), answer, query(recording)).kind;
  };
  const hourLater = (itinerary: any) => {
    itinerary.startTime += 3_600_000;
    itinerary.endTime += 3_600_000;
    for (const leg of itinerary.legs) {
      leg.startTime += 3_600_000;
      leg.endTime += 3_600_000;
    }
  };
  t.is(spoilt(hourLater), 'worse');
  t.is(
    spoilt((itinerary) => {
      itinerary.legs[0].endTime += 1_800_000;
    }),
    'differs',
  );
  t.is(
    spoilt((itinerary) => {
      delete itinerary.walkTime;
    }),
    'differs',
  );
  t.is(
    spoilt((itinerary) => {
      itinerary.legs[0].legGeometry.length += 1;
    }),
    'differs',
  );
});
