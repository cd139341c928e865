/**
 * The life cycle of one router id as a pure table: (state, event) → (state, effects).
 *
 * Every load has a generation number, which is used once and grows. A result for another generation than the expected
 * one is late (its router has since been evicted or loaded again) and is dropped.
 */

/** Number of one load; later loads have greater numbers. */
export type Generation = number;

/** The states of a router id. */
export type RouterState =
  /** Not registered. */
  | { readonly kind: 'absent' }
  /** A load runs and nothing is served: requests wait. */
  | { readonly kind: 'loading'; readonly generation: Generation }
  /** The graph of `generation` is served. */
  | { readonly kind: 'ready'; readonly generation: Generation }
  /** The graph of `generation` is served while `next` is being loaded. */
  | { readonly kind: 'reloading'; readonly generation: Generation; readonly next: Generation };

export type RouterEvent =
  /** PUT or POST, or a scan found a changed file. `preEvict`: drop the served graph before loading, to save memory. */
  | { readonly kind: 'load'; readonly generation: Generation; readonly preEvict: boolean }
  /** The load of `generation` produced a graph. */
  | { readonly kind: 'loaded'; readonly generation: Generation }
  /** The load of `generation` failed. `evict`: remove the router instead of continuing with its old graph. */
  | { readonly kind: 'failed'; readonly generation: Generation; readonly evict: boolean }
  /** The graph of `generation`, which is served, turned out to be damaged. */
  | { readonly kind: 'damaged'; readonly generation: Generation }
  /** DELETE. */
  | { readonly kind: 'evict' };

/** The actions of the registry after a transition, in this order. */
export type RouterEffect =
  /** Serve the graph of this generation from now on. */
  | { readonly kind: 'serve'; readonly generation: Generation }
  /** Release the graph of this generation; running searches finish on it. */
  | { readonly kind: 'release'; readonly generation: Generation }
  /** Requests that waited for a graph get the one that is served now, or an error if there is none. */
  | { readonly kind: 'wake' };

interface Transition {
  readonly state: RouterState;
  readonly effects: readonly RouterEffect[];
}

/** The state every router id starts in. */
export const ABSENT: RouterState = { kind: 'absent' };

type StateOf<K extends RouterState['kind']> = Extract<RouterState, { kind: K }>;
type EventOf<K extends RouterEvent['kind']> = Extract<RouterEvent, { kind: K }>;

/** One cell per (state, event); the compiler requires all twenty. */
type Table = {
  readonly [S in RouterState['kind']]: {
    readonly [E in RouterEvent['kind']]: (state: StateOf<S>, event: EventOf<E>) => Transition;
  };
};

const serve = (generation: Generation): RouterEffect => ({ kind: 'serve', generation });
const release = (generation: Generation): RouterEffect => ({ kind: 'release', generation });
const WAKE: RouterEffect = { kind: 'wake' };

const to = (state: RouterState, ...effects: RouterEffect[]): Transition => ({ state, effects });

const TABLE: Table = {
  absent: {
    load: (_, { generation }) => to({ kind: 'loading', generation }),
    loaded: (state, { generation }) => to(state, release(generation)),
    failed: (state) => to(state),
    damaged: (state) => to(state),
    evict: (state) => to(state),
  },
  loading: {
    // The latest request counts: the result of the earlier load will be late.
    load: (_, { generation }) => to({ kind: 'loading', generation }),
    loaded: (state, { generation }) =>
      generation === state.generation
        ? to({ kind: 'ready', generation }, serve(generation), WAKE)
        : to(state, release(generation)),
    failed: (state, { generation }) => (generation === state.generation ? to(ABSENT, WAKE) : to(state)),
    damaged: (state) => to(state),
    evict: () => to(ABSENT, WAKE),
  },
  ready: {
    load: (state, { generation, preEvict }) =>
      preEvict
        ? to({ kind: 'loading', generation }, release(state.generation))
        : to({ kind: 'reloading', generation: state.generation, next: generation }),
    loaded: (state, { generation }) => to(state, release(generation)),
    failed: (state) => to(state),
    damaged: (state, { generation }) => (generation === state.generation ? to(ABSENT, release(generation)) : to(state)),
    evict: (state) => to(ABSENT, release(state.generation)),
  },
  reloading: {
    load: (state, { generation, preEvict }) =>
      preEvict ? to({ kind: 'loading', generation }, release(state.generation)) : to({ ...state, next: generation }),
    loaded: (state, { generation }) =>
      generation === state.next
        ? to({ kind: 'ready', generation }, serve(generation), release(state.generation))
        : to(state, release(generation)),
    failed: (state, { generation, evict }) => {
      if (generation !== state.next) return to(state);
      if (evict) return to(ABSENT, release(state.generation));
      return to({ kind: 'ready', generation: state.generation });
    },
    // Requests wait for the graph that is being loaded.
    damaged: (state, { generation }) =>
      generation === state.generation
        ? to({ kind: 'loading', generation: state.next }, release(generation))
        : to(state),
    evict: (state) => to(ABSENT, release(state.generation)),
  },
};

/** The one transition function: pure, total. */
export function transition(state: RouterState, event: RouterEvent): Transition {
  const cell = TABLE[state.kind][event.kind] as (state: RouterState, event: RouterEvent) => Transition;
  return cell(state, event);
}
