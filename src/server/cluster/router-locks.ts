/** One change of a router at a time, first come first served. */

interface Waiter<Owner> {
  readonly owner: Owner;
  readonly enter: () => void;
}

/** Locks by router id. */
export class RouterLocks<Owner> {
  /** Holder and waiters, the holder first. */
  readonly #lines = new Map<string, Waiter<Owner>[]>();

  /** Resolves when `owner` holds the lock of the router. */
  acquire(id: string, owner: Owner): Promise<void> {
    return new Promise((enter) => {
      const line = this.#lines.get(id);
      if (line !== undefined) {
        line.push({ owner, enter });
        return;
      }
      this.#lines.set(id, [{ owner, enter }]);
      enter();
    });
  }

  /** Passes the lock on; nothing happens when `owner` doesn't hold it. */
  release(id: string, owner: Owner): void {
    const line = this.#lines.get(id);
    if (line?.[0]?.owner !== owner) return;
    line.shift();
    if (line[0] === undefined) this.#lines.delete(id);
    else line[0].enter();
  }

  /** Gives up whatever a dead owner holds or waits for. */
  releaseAll(owner: Owner): void {
    for (const [id, line] of this.#lines) {
      const held = line[0]?.owner === owner;
      const left = line.filter((waiter) => waiter.owner !== owner);
      if (left[0] === undefined) this.#lines.delete(id);
      else this.#lines.set(id, left);
      if (held) left[0]?.enter();
    }
  }
}
