/** Where the code of one page runs: a directory like that of a reader who follows the page, and a server. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from './pages.js';

const run = promisify(execFile);
const COMMAND = path.join(ROOT, 'dist/src/cli/main.js');
/** Surfaces, point sets, scripts and changes of routers, for everybody. */
const SERVER = ['serve', '--analyst', '--insecure', '--enableScriptingWebService', '--jobs', 'jobs', '--port', '0'];
/** The address that the pages use. */
const WRITTEN_HOST = 'localhost:8080';
/** Settings that the guide gives for programs in TypeScript. */
export const COMPILER_SETTINGS = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
/** Packages for programs in Python, besides those of the system. */
export const PYTHON_PACKAGES = path.join(ROOT, '.python-packages');
/** Longer than any command of a page takes. */
const MOST_MS = 240_000;

/** The sample town, built once: a directory with `graphs/default` and `pointsets`. */
export class SampleTown {
  private constructor(readonly directory: string) {}

  static async make(): Promise<SampleTown> {
    const directory = await mkdtemp(path.join(tmpdir(), 'trestle-pages-'));
    const router = path.join('graphs', 'default');
    await run(process.execPath, [COMMAND, 'sample', router, '--pointSets', 'pointsets'], { cwd: directory });
    await run(process.execPath, [COMMAND, 'build', router], { cwd: directory });
    return new SampleTown(directory);
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}

/** Runs the blocks of one page, one after the other. */
export class PageRunner {
  #server: ChildProcess | undefined;
  #host = WRITTEN_HOST;

  private constructor(readonly directory: string) {}

  /**
   * A directory with the sample town, the package as an installed one, and `trestle` and
   * `npx trestle` as commands.
   */
  static async start(town: SampleTown): Promise<PageRunner> {
    const directory = await mkdtemp(path.join(tmpdir(), 'trestle-page-'));
    await cp(town.directory, directory, { recursive: true });
    await mkdir(path.join(directory, 'node_modules'));
    await symlink(ROOT, path.join(directory, 'node_modules/trestle'));
    const commands = path.join(directory, '.commands');
    await mkdir(commands);
    const trestle = `exec '${process.execPath}' '${COMMAND}'`;
    await writeCommand(path.join(commands, 'trestle'), `${trestle} "$@"`);
    // Error statuses fail the block, as they would stop a reader.
    await writeCommand(
      path.join(commands, 'curl'),
      'PATH=`echo "$PATH" | cut -d: -f2-` exec curl --silent --show-error --fail-with-body "$@"',
    );
    await writeCommand(path.join(commands, 'npx'), `[ "$1" = trestle ] || exit 127; shift; ${trestle} "$@"`);
    return new PageRunner(directory);
  }

  /** Copies the inputs of a real city to `graphs/<city>`. */
  async addCity(inputs: string, city: string): Promise<void> {
    await cp(inputs, path.join(this.directory, 'graphs', city), { recursive: true });
  }

  async write(name: string, text: string): Promise<void> {
    const file = path.join(this.directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** The output of a shell for `code`; when a command fails, an error with its output. */
  async shell(code: string): Promise<string> {
    if (code.includes(WRITTEN_HOST)) await this.#serve();
    const script = `set -e -o pipefail\n${code.replaceAll(WRITTEN_HOST, this.#host)}\n`;
    const printed = await this.#execute('bash', ['-c', script]);
    refusePlanErrors(printed);
    return printed.replaceAll(this.#host, WRITTEN_HOST);
  }

  /** The output of a TypeScript program, whose types are checked first. */
  async program(code: string): Promise<string> {
    const { transform } = await import('esbuild');
    await this.write('program.ts', code);
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', path.join(ROOT, 'node_modules/@types')];
    await this.write('package.json', '{"type":"module"}');
    // The types of the package themselves are checked once, where it is installed (`test/packages`).
    const settings = [...COMPILER_SETTINGS, '--skipLibCheck', ...types];
    await this.#execute(process.execPath, [tsc, '--noEmit', ...settings, 'program.ts']);
    await this.write('program.js', (await transform(code, { loader: 'ts', target: 'node20' })).code);
    return this.#execute(process.execPath, ['program.js']);
  }

  /** The output of a Python program. */
  async python(code: string): Promise<string> {
    if (code.includes(WRITTEN_HOST)) await this.#serve();
    await this.write('program.py', code.replaceAll(WRITTEN_HOST, this.#host));
    const printed = await this.#execute('python3', ['program.py']);
    return printed.replaceAll(this.#host, WRITTEN_HOST);
  }

  /** The output of a program in R. Lines about loaded libraries go to standard error. */
  async r(code: string): Promise<string> {
    if (code.includes(WRITTEN_HOST)) await this.#serve();
    await this.write('program.R', code.replaceAll(WRITTEN_HOST, this.#host));
    const printed = await this.#execute('Rscript', ['program.R']);
    return printed.replaceAll(this.#host, WRITTEN_HOST);
  }

  /** A file that the blocks have left in the directory; undefined when there is none. */
  async read(name: string): Promise<Buffer | undefined> {
    return readFile(path.join(this.directory, name)).catch(() => undefined);
  }

  /** Sends a request to the server of the page. */
  async request(method: string, target: string, init: RequestInit = {}): Promise<Response> {
    await this.#serve();
    return fetch(`http://${this.#host}${target}`, { method, ...init });
  }

  async close(): Promise<void> {
    if (this.#server !== undefined && this.#server.exitCode === null) {
      this.#server.kill('SIGTERM');
      await once(this.#server, 'exit');
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  async #execute(command: string, args: readonly string[]): Promise<string> {
    const env = {
      ...process.env,
      PATH: `${path.join(this.directory, '.commands')}:${process.env.PATH}`,
      PASSWORD: 'x',
      PYTHONPATH: PYTHON_PACKAGES,
    };
    const options = { cwd: this.directory, env, timeout: MOST_MS, maxBuffer: 64 * 1024 ** 2 };
    try {
      return (await run(command, args, options)).stdout;
    } catch (error) {
      const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string };
      throw new Error(`it ends with status ${code}\n${stderr}${stdout}`.trimEnd());
    }
  }

  /** Starts the server of the page, once, and waits until it has its routers. */
  async #serve(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = spawn(process.execPath, [COMMAND, ...SERVER], {
      cwd: this.directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#server = server;
    const said: string[] = [];
    for await (const line of createInterface(server.stderr)) {
      said.push(line);
      const { msg, port } = JSON.parse(line);
      if (msg === 'listening') this.#host = `localhost:${port}`;
      if (msg === 'ready') return void server.stderr.resume();
    }
    throw new Error(`the server did not start\n${said.join('\n')}`);
  }
}

/** Plans that fail are answered with status 200 and an error inside. */
export function refusePlanErrors(answers: string): void {
  const [error] = /"error":\{"id":\d+[^}]*\}/.exec(answers) ?? [];
  if (error !== undefined) throw new Error(`a plan fails: ${error}`);
}

async function writeCommand(file: string, code: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${code}\n`);
  await chmod(file, 0o755);
}
