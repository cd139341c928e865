/** A started `trestle serve`, as its log tells. */

import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Waits until a server with a piped log has its routers; returns its port. A server on port 0 takes a free one itself:
 * one that was chosen before its start could be taken by another program in between, which would then answer instead.
 * `onLine` receives each line until then. The later log is thrown away.
 */
export async function portWhenReady(
  { stderr }: ChildProcess,
  onLine: (line: string) => void = () => {},
): Promise<number> {
  if (stderr === null) throw new Error('the log is not read');
  const said: string[] = [];
  let listening = 0;
  for await (const line of createInterface(stderr)) {
    said.push(line);
    onLine(line);
    if (!line.startsWith('{')) continue;
    const { msg, port } = JSON.parse(line);
    if (msg === 'listening') listening = port;
    if (msg !== 'ready') continue;
    stderr.resume();
    return listening;
  }
  throw new Error(`the server did not start\n${said.join('\n')}`);
}
