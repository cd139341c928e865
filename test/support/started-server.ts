/** A started `trestle serve`, as its log tells. */

import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Waits until a server with a piped log has its routers; returns its port. Its later log is thrown away. */
export async function portWhenReady({ stderr }: ChildProcess): Promise<number> {
  if (stderr === null) throw new Error('the log is not read');
  const said: string[] = [];
  let listening = 0;
  for await (const line of createInterface(stderr)) {
    said.push(line);
    if (!line.startsWith('{')) continue;
    const { msg, port } = JSON.parse(line);
    if (msg === 'listening') listening = port;
    if (msg !== 'ready') continue;
    stderr.resume();
    return listening;
  }
  throw new Error(`the server did not start\n${said.join('\n')}`);
}
