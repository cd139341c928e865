/** Values that all processes of a server have to know: those of one host, or those of many. */

/** Values by name. A process that watches a value keeps it, so it has the value even when it cannot reach the others. */
export interface SharedValues {
  /**
   * Replaces a value by what `change` returns. `change` gets the present text, and is called again when another process
   * changed the value first. Resolves when all watchers, here and in the other processes, know the new value. Rejects
   * with a `BusyError` when the other processes cannot be reached, and with what `change` threw.
   */
  update(name: string, change: (text: string | undefined) => Promise<string>): Promise<void>;
  /**
   * Calls `take` with the value after each change. After each connection to the other processes, `take` gets the value
   * that they have, or undefined.
   */
  watch(name: string, take: Take): void;
  /** Connects to the other processes. Resolves after a short time even if they cannot be reached. */
  open(): Promise<void>;
  close(): void;
}

/** Receives a value. */
export type Take = (text: string | undefined) => Promise<void>;

/** Longest text of a value, characters. */
export const MAX_VALUE_LENGTH = 16 * 1024 ** 2;
