import test from 'ava';
import { parseModes } from '../../../src/http/params/modes.js';
import { TRANSIT_MODES } from '../../../src/native/modes.js';

/** Modes (`TRANSIT` for all nine) and switches in one line. */
function resolved(text: string): string {
  const { modes, ...switches } = parseModes(text);
  const allTransit = TRANSIT_MODES.every((mode) => modes.includes(mode));
  const shown = allTransit
    ? ['TRANSIT', ...modes.filter((m) => !(TRANSIT_MODES as readonly string[]).includes(m))]
    : modes;
  const on = Object.entries(switches).flatMap(([name, value]) => (value ? [name] : []));
  return [shown.sort().join(','), ...on].join(' ');
}

for (const [text, expected] of [
  ['TRANSIT,WALK', 'TRANSIT,WALK'],
  ['WALK, TRANSIT ', 'TRANSIT,WALK'],
  ['TRANSIT', 'TRANSIT'],
  ['WALK,WALK', 'WALK'],
  ['BUS,WALK', 'BUS,WALK'],
  ['CABLE_CAR,WALK', 'CABLE_CAR,WALK'],
  ['BICYCLE', 'BICYCLE'],
  ['BICYCLE_RENT', 'BICYCLE,WALK bikeRental'],
  ['BICYCLE_RENT,TRANSIT', 'BICYCLE,TRANSIT,WALK bikeRental'],
  ['BICYCLE_PARK,TRANSIT', 'BICYCLE,TRANSIT bikePark'],
  ['BICYCLE_PARK', 'BICYCLE'],
  ['BICYCLE_HAVE,BUS', 'BICYCLE,BUS'],
  ['CAR', 'CAR'],
  ['CAR_PARK', 'CAR'],
  ['CAR,TRANSIT', 'CAR,TRANSIT,WALK kissAndRide'],
  ['CAR_KEEP,RAIL', 'CAR,RAIL,WALK kissAndRide'],
  ['CAR_PARK,TRANSIT', 'CAR,TRANSIT,WALK carPark'],
  ['BUS,WALK,', 'BUS,WALK'],
  ['BUS, WALK, , ', 'BUS,WALK'],
] as const) {
  test(`mode=${text} is ${expected}`, (t) => t.is(resolved(text), expected));
}

for (const text of [
  'TELEPORT',
  'walk',
  'WALK,TELEPORT',
  'BUSISH',
  'LEG_SWITCH',
  'CAR_FLY',
  'TRANSIT WALK',
  ',',
  'WALK,,BUS',
  ',WALK',
  '_',
  '😀'.repeat(1000),
]) {
  test(`mode=${text.slice(0, 12)} is refused`, (t) => {
    t.throws(() => parseModes(text), { message: /^mode: / });
  });
}
