/** A seeded generator of random numbers (sfc32): the same labels give the same sequence on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** Starts the sequence with these labels, for example `new Random(seed, "cell", column, row)`. */
  constructor(...labels: (string | number)[]) {
    const text = labels.join('\u0000');
    this.#a = hash(text, 0x9e3779b9);
    this.#b = hash(text, 0x243f6a88);
    this.#c = hash(text, 0xb7e15162);
    for (let round = 0; round < 12; round++) this.next();
  }

  /** A number in [0, 1). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** A number in [−spread, spread). */
  around(spread: number): number {
    return (this.next() * 2 - 1) * spread;
  }

  /** One of the entries of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }
}

/** FNV-1a over UTF-16 units with a final mix; 32 bits. */
function hash(text: string, basis: number): number {
  let value = basis;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}
