import test from 'ava';
import type { RouterEvent, RouterState } from '../../src/registry/state.js';
import { transition } from '../../src/registry/state.js';

/** One cell as a line: `state + event → state: effects`. */
const show = (state: RouterState): string => {
  switch (state.kind) {
    case 'absent':
      return 'absent';
    case 'reloading':
      return `reloading ${state.generation}>${state.next}`;
    default:
      return `${state.kind} ${state.generation}`;
  }
};

const STATES: Record<string, RouterState> = {
  absent: { kind: 'absent' },
  'loading 2': { kind: 'loading', generation: 2 },
  'ready 1': { kind: 'ready', generation: 1 },
  'reloading 1>2': { kind: 'reloading', generation: 1, next: 2 },
};

const EVENTS: Record<string, RouterEvent> = {
  'load 3': { kind: 'load', generation: 3, preEvict: false },
  'load 3 preEvict': { kind: 'load', generation: 3, preEvict: true },
  'loaded 2': { kind: 'loaded', generation: 2 },
  'loaded 0 (late)': { kind: 'loaded', generation: 0 },
  'failed 2': { kind: 'failed', generation: 2, evict: false },
  'failed 2 evict': { kind: 'failed', generation: 2, evict: true },
  'failed 0 (late)': { kind: 'failed', generation: 0, evict: true },
  'damaged 1': { kind: 'damaged', generation: 1 },
  'damaged 0 (late)': { kind: 'damaged', generation: 0 },
  evict: { kind: 'evict' },
};

const TABLE = `
absent        | load 3          | loading 3     |
absent        | load 3 preEvict | loading 3     |
absent        | loaded 2        | absent        | release 2
absent        | loaded 0 (late) | absent        | release 0
absent        | failed 2        | absent        |
absent        | failed 2 evict  | absent        |
absent        | failed 0 (late) | absent        |
absent        | damaged 1       | absent        |
absent        | damaged 0 (late) | absent        |
absent        | evict           | absent        |
loading 2     | load 3          | loading 3     |
loading 2     | load 3 preEvict | loading 3     |
loading 2     | loaded 2        | ready 2       | serve 2, wake
loading 2     | loaded 0 (late) | loading 2     | release 0
loading 2     | failed 2        | absent        | wake
loading 2     | failed 2 evict  | absent        | wake
loading 2     | failed 0 (late) | loading 2     |
loading 2     | damaged 1       | loading 2     |
loading 2     | damaged 0 (late) | loading 2     |
loading 2     | evict           | absent        | wake
ready 1       | load 3          | reloading 1>3 |
ready 1       | load 3 preEvict | loading 3     | release 1
ready 1       | loaded 2        | ready 1       | release 2
ready 1       | loaded 0 (late) | ready 1       | release 0
ready 1       | failed 2        | ready 1       |
ready 1       | failed 2 evict  | ready 1       |
ready 1       | failed 0 (late) | ready 1       |
ready 1       | damaged 1       | absent        | release 1
ready 1       | damaged 0 (late) | ready 1       |
ready 1       | evict           | absent        | release 1
reloading 1>2 | load 3          | reloading 1>3 |
reloading 1>2 | load 3 preEvict | loading 3     | release 1
reloading 1>2 | loaded 2        | ready 2       | serve 2, release 1
reloading 1>2 | loaded 0 (late) | reloading 1>2 | release 0
reloading 1>2 | failed 2        | ready 1       |
reloading 1>2 | failed 2 evict  | absent        | release 1
reloading 1>2 | failed 0 (late) | reloading 1>2 |
reloading 1>2 | damaged 1       | loading 2     | release 1
reloading 1>2 | damaged 0 (late) | reloading 1>2 |
reloading 1>2 | evict           | absent        | release 1
`;

const rows = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

for (const [from = '', event = '', to = '', effects = ''] of rows) {
  test(`${from} + ${event}`, (t) => {
    const before = STATES[from];
    const happening = EVENTS[event];
    if (before === undefined || happening === undefined) return t.fail('unknown row');
    const { state, effects: done } = transition(before, happening);
    t.is(show(state), to);
    const told = done.map((effect) => ('generation' in effect ? `${effect.kind} ${effect.generation}` : effect.kind));
    t.is(told.join(', '), effects);
  });
}

test('the table above has a row for every state and event', (t) => {
  t.is(rows.length, Object.keys(STATES).length * Object.keys(EVENTS).length);
});
