// When requests arrive and which server gets each of them, for real and simulated servers.
import { Random } from '../../dist/src/bench/random.js';

/** An endless series of random times, `rate` a second, in milliseconds. Equal seeds give equal times. */
export function* arrivals(rate, seed) {
  const random = new Random(seed, 'arrivals');
  for (let at = 0; ; at += (-Math.log(1 - random.next()) / rate) * 1000) yield at;
}

/** The first of the servers with the fewest open requests (`open`). */
export const leastBusy = (servers) => servers.reduce((least, one) => (one.open < least.open ? one : least));
