/** When a server looks for publications, and which of them it takes. */

import test from 'ava';
import type { PutOutcome } from '../../src/registry/control.js';
import type { PublishedGraphs } from '../../src/registry/published.js';
import { PublishedWatch, type PublishedWatchOptions } from '../../src/registry/published-watch.js';
import type { RouterRegistry } from '../../src/registry/registry.js';

/** A watch over publications that are a map from router to publication. */
function setUp(options: Partial<PublishedWatchOptions> = {}) {
  const published = new Map<string, string>();
  const mirrored = new Map<string, string>();
  const served = new Set<string>();
  const outcomes = { next: 'registered' as PutOutcome, storeFails: false };
  const puts: string[] = [];
  const store: unknown[] = [];
  const ask = <T>(answer: T): Promise<T> =>
    outcomes.storeFails ? Promise.reject(new Error('store')) : Promise.resolve(answer);
  const graphs: PublishedGraphs = {
    ids: () => ask([...published.keys()]),
    mirrored: async () => [...mirrored.keys()],
    newPublication: (id) => ask(published.get(id) === mirrored.get(id) ? undefined : published.get(id)),
    restore: async () => false,
    mirror: async () => true,
  };
  const registry = { list: () => [...served].map((id) => ({ id })) } as unknown as RouterRegistry;
  const put = async (id: string) => {
    puts.push(id);
    if (outcomes.next === 'registered') {
      mirrored.set(id, published.get(id) ?? '');
      served.add(id);
    }
    return outcomes.next;
  };
  const clock = { now: 0 };
  const watch = new PublishedWatch(
    graphs,
    registry,
    { put },
    { routers: [], autoScan: false, onStore: (error) => void store.push(error), ...options },
    () => clock.now,
  );
  /** The publications that one check loads. */
  const look = async () => {
    puts.length = 0;
    await watch.look();
    return [...puts];
  };
  return { published, mirrored, served, outcomes, store, clock, look };
}

test('a new publication is loaded once', async (t) => {
  const { published, look } = setUp();
  published.set('town', '1');
  t.deepEqual(await look(), ['town']);
  t.deepEqual(await look(), []);
  published.set('town', '2');
  t.deepEqual(await look(), ['town']);
});

test('routers that are published later are served if the settings say so', async (t) => {
  for (const [options, expected] of [
    [{}, []],
    [{ routers: ['town'] }, []],
    [{ autoScan: true }, ['later']],
  ] as const) {
    const { published, look } = setUp(options);
    published.set('town', '1');
    await look();
    published.set('later', '1');
    t.deepEqual(await look(), expected);
  }
});

test('a router that was asked for is loaded as soon as it is published', async (t) => {
  const { published, look } = setUp({ routers: ['town'] });
  t.deepEqual(await look(), []);
  published.set('town', '1');
  t.deepEqual(await look(), ['town']);
});

test('a router that was removed stays removed', async (t) => {
  const { published, served, look } = setUp({ routers: ['town'] });
  published.set('town', '1');
  await look();
  served.delete('town');
  published.set('town', '2');
  t.deepEqual(await look(), []);
});

test('a publication that cannot be taken is tried again after longer and longer pauses, a new one at once', async (t) => {
  const { published, mirrored, served, outcomes, clock, look } = setUp();
  published.set('town', '2');
  mirrored.set('town', '1');
  served.add('town');
  outcomes.next = 'reload-failed';
  const tries: number[] = [];
  for (clock.now = 0; tries.length < 5; clock.now += 100) if ((await look()).length > 0) tries.push(clock.now);
  for (const [i, mean] of [10_000, 20_000, 40_000, 80_000].entries()) {
    const pause = (tries[i + 1] ?? 0) - (tries[i] ?? 0);
    t.true(pause >= 0.75 * mean && pause <= mean + 100, `pause ${i}: ${pause} ms`);
  }
  published.set('town', '3');
  t.deepEqual(await look(), ['town']);
});

test('a store that cannot be reached is reported once, and again when it answers', async (t) => {
  const { published, served, outcomes, store, look } = setUp();
  published.set('town', '1');
  outcomes.storeFails = true;
  await look();
  await look();
  t.is(store.length, 1);
  t.true(store[0] instanceof Error);
  outcomes.storeFails = false;
  t.deepEqual(await look(), ['town']);
  t.deepEqual([store.length, store[1]], [2, undefined]);
  t.true(served.has('town'));
});
