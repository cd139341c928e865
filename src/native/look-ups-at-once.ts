/**
 * The look-ups of the addon itself, which answer at once and are given `Uint32Array`s only. They are for the server: it
 * asks for some dozen entities at a time, and a promise for each of them would cost more than the look-up. They are in
 * no type that users of the package see.
 */

import type { AlertPatch, Graph, Positions, StaticRentalStation } from '#addon';

/** The name of a look-up that is given positions or ids, in the form that returns a promise. */
export type LookUp = 'find' | { [N in keyof Graph]: TakesPositions<Graph[N]> extends true ? N : never }[keyof Graph];

type TakesPositions<F> = F extends (...args: infer A) => Promise<unknown>
  ? Positions extends A[number]
    ? true
    : false
  : false;

type AtOnce<F> = F extends (...args: infer A) => Promise<infer R>
  ? (...args: { [I in keyof A]: A[I] extends Positions ? Uint32Array : A[I] }) => R
  : never;

export type LookUpsAtOnce = { [N in LookUp as `${N}Sync`]: AtOnce<Graph[N]> } & {
  alertsSync(from: number, count: number): AlertPatch[];
  staticRentalStationsSync(from: number, count: number): StaticRentalStation[];
};
