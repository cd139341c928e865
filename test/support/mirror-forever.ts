/** A host that mirrors the router `town` again and again: `node mirror-forever.js GRAPHS ENDPOINT`. */

import { setTimeout as pause } from 'node:timers/promises';
import { openS3 } from '../../src/publishing/s3-object-store.js';
import { mirrorIn } from './published-graph.js';

const [graphs = '.', endpoint = ''] = process.argv.slice(2);
const connect = () => openS3({ bucket: 'graphs', prefix: 'city' }, endpoint);
// Room for two graphs, of which one is in use.
const { mirror } = mirrorIn(graphs, connect, { maxBytes: 7 * 1024 ** 2 });
await mirror.mirror('town');
process.stdout.write('mirrored\n');
for (;;) {
  await mirror.mirror('town');
  await pause(1);
}
