/** Values that all processes of a server have to know: those of one host, or those of many. */

/** Values by name. A process that watches a value keeps it, so it is there when the others cannot be reached. */
export interface SharedValues {
  /**
   * Replaces a value by what `change` makes of it. `change` gets the present text, and is called again when another
   * process was first. Resolves when those who watch the value know it, here and in the other processes. Rejects with a `BusyError` when they cannot be
   * reached, and with what `change` threw.
   */
  update(name: string, change: (text: string | undefined) => Promise<string>): Promise<void>;
  /**
   * Calls `take` with the value after each change. When the connection to the others is there, or is
   * there again, it is called with the value that they have, or undefined.
   */
  watch(name: string, take: Take): void;
  /** Connects to the other processes. Resolves after a short time even if they cannot be reached. */
  open(): Promise<void>;
  close(): void;
}

/** Is told a value. */
export type Take = (text: string | undefined) => Promise<void>;

/** Longest text of a value, characters. */
export const MAX_VALUE_LENGTH = 16 * 1024 ** 2;
