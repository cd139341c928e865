/** Locks for changes, which are granted in the order of the requests. */

interface Waiter<Owner> {
  readonly owner: Owner;
  readonly enter: () => void;
}

export class NamedLocks<Owner> {
  /** Holder and waiters, the holder first. */
  readonly #lines = new Map<string, Waiter<Owner>[]>();

  /** Resolves when `owner` holds the lock. */
  acquire(name: string, owner: Owner): Promise<void> {
    return new Promise((enter) => {
      const line = this.#lines.get(name);
      if (line !== undefined) {
        line.push({ owner, enter });
        return;
      }
      this.#lines.set(name, [{ owner, enter }]);
      enter();
    });
  }

  /** Passes the lock on; does nothing when `owner` does not hold it. */
  release(name: string, owner: Owner): void {
    const line = this.#lines.get(name);
    if (line?.[0]?.owner !== owner) return;
    line.shift();
    if (line[0] === undefined) this.#lines.delete(name);
    else line[0].enter();
  }

  /** Releases whatever a dead owner holds or waits for. */
  releaseAll(owner: Owner): void {
    for (const [name, line] of this.#lines) {
      const held = line[0]?.owner === owner;
      const left = line.filter((waiter) => waiter.owner !== owner);
      if (left[0] === undefined) this.#lines.delete(name);
      else this.#lines.set(name, left);
      if (held) left[0]?.enter();
    }
  }
}
