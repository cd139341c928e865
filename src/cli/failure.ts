/** How a command ends when it cannot do its work: one line for people, an exit code for scripts. */

import { ConfigError } from '../config/diagnostic.js';

/** Exit codes of the command line. */
export const EXIT = {
  /** Wrong arguments or configuration. */
  usage: 1,
  /** A configuration file is not valid JSON. */
  configSyntax: 42,
  /** Nothing to do, or the build failed. */
  failed: 255,
} as const;

/** Ends the command with a message and an exit code. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode;
  // A wrong address or password counts as a wrong setting.
  if ((error as { code?: unknown } | undefined)?.code === 'REDIS_REFUSED') return EXIT.usage;
  if (error instanceof ConfigError) return error.code === 'CONFIG_SYNTAX' ? EXIT.configSyntax : EXIT.usage;
  return EXIT.failed;
}

/** The message of an error, with its code if it has one. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (code === 'EADDRINUSE') return portInUse(error);
  if (code === 'EADDRNOTAVAIL') return foreignAddress(error);
  if (code === 'EACCES' && isListening(error)) return forbiddenPort(error);
  const known = error instanceof CommandFailure || error instanceof ConfigError;
  const message = error.message.trimEnd();
  // Messages of the system begin with the code.
  return typeof code === 'string' && !known && !message.startsWith(code) ? `${message} (${code})` : message;
}

/** How to choose a port. */
const WITH_OPTIONS = 'with --port or, for HTTPS, --securePort';

/** Most systems keep the ports below this one for privileged users. */
const FIRST_FREE_PORT = 1024;

function portInUse(error: Error): string {
  const { port } = error as { port?: unknown };
  return `port ${port} is in use: end the program that listens there, or choose another one ${WITH_OPTIONS} (EADDRINUSE)`;
}

/** Whether an error came up while a port was opened, by this process or by the supervisor for its processes. */
function isListening(error: Error): boolean {
  const { syscall } = error as { syscall?: unknown };
  return syscall === 'listen' || syscall === 'bind';
}

function forbiddenPort(error: Error): string {
  const port = Number((error as { port?: unknown }).port);
  const why =
    port < FIRST_FREE_PORT
      ? `ports below ${FIRST_FREE_PORT} need more rights than this user has: choose a higher one ${WITH_OPTIONS}, or give node the right CAP_NET_BIND_SERVICE`
      : `the system does not allow this user to listen there: choose another one ${WITH_OPTIONS}`;
  return `port ${port} is forbidden, because ${why} (EACCES)`;
}

function foreignAddress(error: Error): string {
  const { address } = error as { address?: unknown };
  return `bindAddress: ${address} is not an address of this machine (EADDRNOTAVAIL)`;
}
