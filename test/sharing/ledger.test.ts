/** Entries that several processes merge, over values in memory. */

import test from 'ava';
import { HttpError } from '../../src/http-error.js';
import { SharedLedger } from '../../src/sharing/ledger.js';
import type { SharedValues, Take } from '../../src/sharing/shared-values.js';

/** A shared value that can be lost, and processes that connect to it when the test says so. */
class Memory {
  text: string | undefined;
  readonly #takes = new Map<string, Take>();

  /** The values as the process `name` sees them. */
  for(name: string): SharedValues {
    return {
      update: async (_, change) => {
        this.text = await change(this.text);
        await this.meet(name);
        return [];
      },
      watch: (_, take) => void this.#takes.set(name, take),
      open: async () => {},
      close: () => {},
    };
  }

  async meet(...names: string[]): Promise<void> {
    for (const name of names) await this.#takes.get(name)?.(this.text);
    // Nothing waits for the entries that a process gives back.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function processes(memory: Memory, now = () => 0, keptMs?: number) {
  const make = (name: string) => {
    const followed: string[] = [];
    const ledger = new SharedLedger<number>(
      memory.for(name),
      {
        name: 'numbers',
        form: 1,
        ...(keptMs !== undefined && { keptMs }),
        follow: async (changes) => void followed.push(...changes.keys()) as undefined,
      },
      now,
    );
    const set = (key: string, value: number | undefined) => ledger.change(() => new Map([[key, value]]));
    return { ledger, followed, set, all: () => Object.fromEntries(ledger.present()) };
  };
  return [make('a'), make('b')] as const;
}

test('a process that was disconnected gets the changes that it missed, removals too', async (t) => {
  const memory = new Memory();
  const [a, b] = processes(memory);
  await a.set('x', 1);
  await a.set('y', 2);
  await memory.meet('b');
  await a.set('x', undefined);
  await a.set('y', 3);
  await memory.meet('b');
  t.deepEqual([a.all(), b.all()], [{ y: 3 }, { y: 3 }]);
  t.deepEqual(b.followed, ['x', 'y', 'x', 'y']);
  await memory.meet('b');
  t.is(b.followed.length, 4, 'what is known is not followed again');
});

test('a value that was lost is made again from those of the processes; for each name the later entry counts', async (t) => {
  const memory = new Memory();
  const [a, b] = processes(memory);
  await a.set('x', 1);
  await a.set('y', 1);
  await memory.meet('b');
  // While b is away.
  await a.set('x', undefined);
  await a.set('z', 1);
  memory.text = undefined;
  await memory.meet('b', 'a', 'b');
  t.deepEqual(
    [a.all(), b.all()],
    [
      { y: 1, z: 1 },
      { y: 1, z: 1 },
    ],
  );
});

test('two changes of one name while the value is lost have the same result everywhere', async (t) => {
  const memory = new Memory();
  const [a, b] = processes(memory);
  await a.set('x', 1);
  memory.text = undefined;
  await b.set('x', 7);
  await memory.meet('a', 'b');
  t.deepEqual(a.all(), b.all());
});

test('entries are forgotten after their time', async (t) => {
  const memory = new Memory();
  let now = 0;
  const [a, b] = processes(memory, () => now, 1000);
  await a.set('x', 1);
  now = 900;
  await a.set('y', 2);
  now = 1001;
  t.deepEqual(a.all(), { y: 2 });
  await memory.meet('b');
  t.deepEqual(b.all(), { y: 2 });
  await a.set('z', 3);
  t.false(memory.text?.includes('"x"'));
});

test('no more than two hundred removed names are remembered', async (t) => {
  const memory = new Memory();
  const [a] = processes(memory);
  const names = Array.from({ length: 1200 }, (_, i) => `n${i}`);
  await a.ledger.change(() => new Map(names.map((name) => [name, 1])));
  await a.ledger.change(() => new Map(names.map((name) => [name, undefined])));
  t.is(JSON.parse(memory.text ?? '').entries.length, 200);
  t.deepEqual(a.all(), {});
});

test('a change that could not be followed is tried again', async (t) => {
  const memory = new Memory();
  const seen: string[][] = [];
  let fails = true;
  const ledger = new SharedLedger<number>(memory.for('a'), {
    name: 'numbers',
    form: 1,
    follow: async (changes) => {
      seen.push([...changes.keys()]);
      if (fails) throw new Error('not now');
      return undefined;
    },
  });
  await t.throwsAsync(
    ledger.change(() => new Map([['x', 1]])),
    { message: 'not now' },
  );
  fails = false;
  await memory.meet('a');
  t.deepEqual(seen, [['x'], ['x']]);
});

test('a value of another format is refused with 503 and stays', async (t) => {
  const memory = new Memory();
  const [a] = processes(memory);
  memory.text = JSON.stringify({ form: 2, entries: 'in another way' });
  const before = memory.text;
  const error = await t.throwsAsync(a.set('x', 1), { instanceOf: HttpError });
  t.is((error as HttpError).status, 503);
  t.is(error?.message, 'the shared numbers have format 2, but this version of Trestle reads format 1\n');
  t.is(memory.text, before);
});

test('entries that two processes had before they connected become the same everywhere', async (t) => {
  const memory = new Memory();
  const [a, b] = processes(memory);
  a.ledger.begin('x', 1);
  b.ledger.begin('x', 2);
  b.ledger.begin('y', 3);
  await memory.meet('a', 'b', 'a', 'b');
  t.deepEqual(a.all(), b.all());
  t.is(a.all().y, 3);
});
