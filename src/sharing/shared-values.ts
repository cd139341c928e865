/** Values that all processes of a server know: those of one host, or those of many. */

/**
 * Values by name. A process that watches a value keeps it, so it has the value even when it cannot reach the others.
 */
export interface SharedValues {
  /**
   * Replaces a value by what `change` returns. `change` gets the present text; it is called again when another process
   * changed the value first. Resolves with the hosts that have followed: once all watchers, here and in the other
   * processes, know the new value, or after `followMs`. Rejects with a `BusyError` when the other processes cannot be
   * reached, and with what `change` threw.
   */
  update(name: string, change: Change, options?: { readonly followMs?: number }): Promise<readonly Follower[]>;
  /**
   * Calls `take` with the value after each change. After each connection to the other processes, `take` gets their
   * value, or undefined if they have none.
   */
  watch(name: string, take: Take): void;
  /**
   * Connects to the other processes. Resolves after a short time even if they cannot be reached; rejects when they
   * refuse this one.
   */
  open(): Promise<void>;
  close(): void;
}

/** Makes the next text of a value from the present one. */
export type Change = (text: string | undefined) => Promise<string>;

/** Receives a value. What it returns is sent to the process that changed the value. */
export type Take = (text: string | undefined) => Promise<string | undefined>;

/** The outcome of a change on one host. */
export interface Follower {
  readonly host: string;
  /** What the host reports; empty when there is nothing to report, undefined when it did not answer. */
  readonly outcome: string | undefined;
}

/** Longest text of a value, characters. */
export const MAX_VALUE_LENGTH = 16 * 1024 ** 2;
