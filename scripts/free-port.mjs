// Ports for programs that have to be given a number.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems choose ports for outgoing connections, and for port 0, from a higher range. */
const [FIRST, COUNT] = [20_000, 10_000];

/** A free port that no program gets unless it asks for it by its number. */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
