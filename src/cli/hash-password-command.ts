/** `trestle hash-password`: prints the hash of a password for the server's settings. */

import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { hashPassword } from '../server/authenticator.js';
import { CommandFailure, EXIT } from './failure.js';

/** The command; the password comes from standard input, so that it does not appear in the shell's history. */
export function hashPasswordCommand(): Command {
  return new Command('hash-password')
    .description('read a password from standard input and print its hash for server-config.json')
    .action(async () => {
      const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
      if (process.stdin.isTTY) process.stderr.write('Password: ');
      for await (const password of lines) {
        if (password === '') break;
        console.log(await hashPassword(password));
        return;
      }
      throw new CommandFailure('the password is empty', EXIT.usage);
    });
}
