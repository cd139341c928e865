/** `trestle serve`: answers requests until it is stopped. */

import { Command } from 'commander';
import { addServerFlags, serverArguments } from '../server-flags.js';

/** The command; its flags are the server's settings. */
export function serveCommand(): Command {
  const command = new Command('serve').description(
    'answer requests; the first start without a graph builds the sample town',
  );
  return addServerFlags(command).action(async () => {
    const { serve } = await import('./run-server.js');
    await serve(serverArguments(command));
  });
}
