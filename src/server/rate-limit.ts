/** How many requests one client may make: a bucket per address that refills steadily. */

/** Token buckets by address. */
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  /** A client may use a whole minute's share at once. */
  constructor(
    private readonly perMinute: number,
    private readonly maxClients = 100_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one request from the client's share; returns 0, or the seconds until the next one is allowed. */
  take(address: string): number {
    const bucket = this.#refilled(address);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 60) / this.perMinute);
    bucket.tokens -= 1;
    return 0;
  }

  /** Returns a request to the share when it turned out to be harmless. */
  giveBack(address: string): void {
    const bucket = this.#refilled(address);
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + 1);
  }

  #refilled(address: string) {
    const now = this.now();
    const known = this.#buckets.get(address);
    if (known !== undefined) {
      known.tokens = Math.min(this.perMinute, known.tokens + ((now - known.at) / 60_000) * this.perMinute);
      known.at = now;
      return known;
    }
    if (this.#buckets.size >= this.maxClients) this.#forgetFull(now);
    const fresh = { tokens: this.perMinute, at: now };
    this.#buckets.set(address, fresh);
    return fresh;
  }

  /** A client without requests for a minute has its full share again, so it can be forgotten. */
  #forgetFull(now: number): void {
    for (const [address, bucket] of this.#buckets) {
      if (now - bucket.at >= 60_000) this.#buckets.delete(address);
    }
    // Too many clients within a minute: the oldest is forgotten, so that the table does not grow.
    for (const address of this.#buckets.keys()) {
      if (this.#buckets.size < this.maxClients) break;
      this.#buckets.delete(address);
    }
  }
}
