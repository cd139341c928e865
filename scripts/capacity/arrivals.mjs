// When requests come and who gets them, for real servers and simulated ones alike.
import { Random } from '../../dist/src/bench/random.js';

/** Moments of random arrivals, `rate` a second, without end; milliseconds. The same for the same seed. */
export function* arrivals(rate, seed) {
  const random = new Random(seed, 'arrivals');
  for (let at = 0; ; at += (-Math.log(1 - random.next()) / rate) * 1000) yield at;
}

/** The server that has the fewest open requests (`open`), the first of them. */
export const leastBusy = (servers) => servers.reduce((least, one) => (one.open < least.open ? one : least));
