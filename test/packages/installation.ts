/**
 * The place where the tarballs of a release are installed: a folder with nothing else, and a PATH without compilers.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { portWhenReady } from '../../src/bench/started-server.js';

const run = promisify(execFile);

/** The checkout; this module runs from `dist/test/packages`. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Nothing of the test takes longer. */
const MOST_MS = 240_000;

/** A server of the installed package. */
export interface InstalledServer {
  /** For example `http://127.0.0.1:1234`. */
  readonly base: string;
  stop(): Promise<void>;
}

/** Makes the tarballs of this platform; returns their paths, those of the addon first. */
export async function packRelease(output: string): Promise<string[]> {
  const script = path.join(ROOT, 'scripts/pack-release.mjs');
  const { stdout } = await run(process.execPath, [script, '--output', output, '--partial'], { cwd: ROOT });
  return stdout.trim().split('\n');
}

/** A folder with the package. */
export class Installation {
  private constructor(
    /** Holds `node_modules`, `programs` on the PATH, and what the test writes. */
    readonly directory: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Installs the tarballs, with what they need from the registry or npm's cache. */
  static async of(tarballs: readonly string[]): Promise<Installation> {
    const directory = await mkdtemp(path.join(tmpdir(), 'trestle-installed-'));
    const programs = path.join(directory, 'programs');
    await mkdir(programs);
    for (const name of ['sh', 'env']) await symlink(`/usr/bin/${name}`, path.join(programs, name));
    await symlink(process.execPath, path.join(programs, 'node'));
    await symlink(await npmProgram(), path.join(programs, 'npm'));
    const { HOME, npm_config_registry, SSL_CERT_FILE } = process.env;
    const installation = new Installation(directory, { HOME, npm_config_registry, SSL_CERT_FILE, PATH: programs });
    await installation.write('package.json', '{ "type": "module" }');
    await installation.execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]);
    return installation;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(path.join(this.directory, name), text);
  }

  /** What a program prints. */
  async execute(program: string, args: readonly string[]): Promise<string> {
    const options = { cwd: this.directory, env: this.environment, timeout: MOST_MS };
    try {
      return (await run(program, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(' ')} failed\n${stderr}${stdout}`, { cause: error });
    }
  }

  /** Starts `trestle serve` on a free port and waits until it has its routers. */
  async serve(): Promise<InstalledServer> {
    const command = path.join(this.directory, 'node_modules/.bin/trestle');
    const server = spawn(command, ['serve', '--port', '0', '--bindAddress', '127.0.0.1'], {
      cwd: this.directory,
      env: this.environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const base = `http://127.0.0.1:${await portWhenReady(server)}`;
    const stop = async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
    };
    return { base, stop };
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}

/** npm's own script: where it is a shell script, that one looks for files beside itself. */
async function npmProgram(): Promise<string> {
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const script = await realpath(stdout.trim());
  await chmod(script, 0o755).catch(() => {});
  return script;
}
