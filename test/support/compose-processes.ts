/**
 * Runs the services of a compose file as processes of this machine: names of services become ports of 127.0.0.1,
 * volumes directories, and images programs. Their arguments and environment come from the file.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { type ComposeService, type Image, readCompose, readImage } from './compose-file.js';
import { freePort } from './free-port.js';
import { temporaryDirectory } from './temporary-directory.js';
import { until } from './until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const run = promisify(execFile);

/** Images by their names without address and version: what starts them, and the port that they listen at. */
const PROGRAMS: Readonly<Record<string, { program?: string; port?: number }>> = {
  trestle: { port: 8080 },
  haproxy: { port: 8080 },
  valkey: { port: 6379 },
  versitygw: { program: 'versitygw', port: 7070 },
  prometheus: { program: 'prometheus', port: 9090 },
  busybox: {},
};

/** Programs that are called otherwise here. */
const SAME = { 'valkey-server': 'redis-server', 'valkey-cli': 'redis-cli' };

/** Time after which a service that has ended is started again, milliseconds. */
const RESTART_MS = 500;

/** How a service runs here. */
interface Prepared {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly health: readonly string[] | undefined;
}

/** The services of a compose file. */
export class ComposeProcesses {
  readonly #ports = new Map<string, number>();
  readonly #volumes = new Map<string, string>();
  readonly #running = new Map<string, ChildProcess>();
  /** Services that are to run; others are not started again. */
  readonly #wanted = new Set<string>();
  readonly #prepared = new Map<string, Prepared>();
  /** What the services have printed. */
  readonly output = new Map<string, string>();

  private constructor(
    private readonly file: string,
    private readonly services: Readonly<Record<string, ComposeService>>,
    private readonly image: Image,
    private readonly directory: string,
  ) {}

  /** Reads the file; nothing runs yet, and everything ends with the test. */
  static async read(
    t: ExecutionContext,
    file: string,
    containerFile: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<ComposeProcesses> {
    const services = await readCompose(file, variables);
    const directory = await temporaryDirectory(t);
    const made = new ComposeProcesses(file, services, await readImage(containerFile), directory);
    await mkdir(path.join(directory, 'bin'));
    for (const [name, program] of Object.entries(SAME)) {
      const { stdout } = await run('sh', ['-c', `command -v ${program}`]);
      await symlink(stdout.trim(), path.join(directory, 'bin', name));
    }
    for (const name of Object.keys(services)) if (made.#kind(name).port) made.#ports.set(name, await freePort());
    t.teardown(() => made.stop());
    return made;
  }

  /** Starts services, after those that they depend on; resolves when they are healthy. */
  async up(...names: string[]): Promise<void> {
    for (const name of names) {
      const depends = this.services[name]?.depends_on ?? {};
      await this.up(...Object.keys(depends).filter((other) => !this.#wanted.has(other)));
      if (this.#wanted.has(name)) continue;
      this.#wanted.add(name);
      const ended = this.#start(name, await this.#prepare(name));
      const once = Object.values(this.services).some(
        ({ depends_on }) => depends_on?.[name]?.condition === 'service_completed_successfully',
      );
      if (once) await ended;
      else await Promise.race([this.healthy(name), ended]);
    }
  }

  /** Services that run without a profile. */
  get usual(): string[] {
    return Object.keys(this.services).filter((name) => this.services[name]?.profiles === undefined);
  }

  /** Runs a command of a service to its end, like `docker compose run`; resolves with what it prints. */
  async run(name: string, ...args: string[]): Promise<string> {
    const { command, env } = await this.#prepare(name, args);
    const [program = '', ...rest] = command;
    return (await run(program, rest, { env: { ...process.env, ...env }, cwd: this.directory })).stdout;
  }

  /** Address of a service on this machine. */
  url(name: string): string {
    return `http://127.0.0.1:${this.#ports.get(name)}`;
  }

  /** Ends a service at once, which is then started again if the file says so. */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name);
    child?.kill('SIGKILL');
    if (child !== undefined) await once(child, 'exit');
  }

  /** Waits until the health check of a service succeeds. */
  async healthy(name: string): Promise<void> {
    const { health, env } = await this.#prepare(name);
    if (health === undefined) return;
    const [program = '', ...args] = health;
    const isHealthy = () =>
      run(program, args, { env: { ...process.env, ...env } }).then(
        () => true,
        () => false,
      );
    await until(isHealthy, () => `${name} is not healthy\n${this.output.get(name)}`);
  }

  async stop(): Promise<void> {
    this.#wanted.clear();
    for (const child of [...this.#running.values()].reverse()) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }

  /** Resolves when the service has ended for good. */
  #start(name: string, prepared: Prepared): Promise<void> {
    const { command, env } = prepared;
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      cwd: this.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.set(name, child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => this.output.set(name, (this.output.get(name) ?? '') + text));
    }
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => {
        this.#running.delete(name);
        const again = this.#wanted.has(name) && this.services[name]?.restart === 'unless-stopped';
        if (again) setTimeout(() => this.#startAgain(name, prepared), RESTART_MS);
        if (again) return;
        if (code === 0 || !this.#wanted.has(name)) resolve();
        else reject(new Error(`${name} ended with ${code}\n${this.output.get(name)}`));
      });
    });
  }

  #startAgain(name: string, prepared: Prepared): void {
    if (this.#wanted.has(name)) void this.#start(name, prepared);
  }

  /** Prepares the start of a service, with the names and places of this machine. */
  async #prepare(name: string, args?: readonly string[]): Promise<Prepared> {
    const known = this.#prepared.get(name);
    if (known !== undefined && args === undefined) return known;
    const service = this.services[name];
    if (service === undefined) throw new Error(`no service ${name}`);
    const { program, port } = this.#kind(name);
    const isTrestle = this.#isTrestle(name);
    const image = isTrestle ? this.image : undefined;
    const places = await this.#places(name, service);
    const here = (text: string) => this.#here(text, name, port, places);
    const entrypoint = service.entrypoint ?? image?.entrypoint ?? (program === undefined ? [] : [program]);
    const environment = { ...image?.environment, ...service.environment };
    const own = this.#ports.get(name);
    if (isTrestle && own !== undefined) Object.assign(environment, { TRESTLE_PORT: String(own) });
    const prepared = {
      command: [...entrypoint, ...(args ?? service.command ?? [])].map(here),
      env: {
        PATH: `${this.directory}/bin:${process.env.PATH}`,
        ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, here(String(value))])),
      },
      health: healthOf(service, image)?.map(here),
    };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  /** Paths in the container and what they are here. */
  async #places(name: string, { volumes = [] }: ComposeService): Promise<ReadonlyMap<string, string>> {
    const places = new Map([
      ['/opt/trestle', ROOT],
      ['/srv/trestle', await this.#volume(`root of ${name}`)],
    ]);
    for (const [source = '', target = ''] of volumes.map((volume) => volume.split(':'))) {
      places.set(target, await this.#source(source));
    }
    return new Map([...places].sort(([a], [b]) => b.length - a.length));
  }

  /** A named volume, or a file beside the compose file with the names of this machine. */
  async #source(source: string): Promise<string> {
    if (!/^[./]/.test(source)) return this.#volume(source);
    const file = path.resolve(path.dirname(this.file), source);
    const isFile = await stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile) return file;
    const copy = path.join(this.directory, path.basename(file));
    if (path.extname(file) === '.cfg') await copyFile(file, copy);
    else await writeFile(copy, this.#withPorts(await readFile(file, 'utf8')));
    return copy;
  }

  async #volume(name: string): Promise<string> {
    const known = this.#volumes.get(name) ?? path.join(this.directory, 'volumes', name.replaceAll(' ', '-'));
    this.#volumes.set(name, known);
    await mkdir(known, { recursive: true });
    return known;
  }

  #here(text: string, name: string, port: number | undefined, places: ReadonlyMap<string, string>): string {
    let found = text;
    for (const [there, here] of places) {
      found = found.replaceAll(new RegExp(`(?<![\\w.])${there}(?![\\w-])`, 'g'), here);
    }
    if (port !== undefined) {
      const own = this.#ports.get(name);
      found = found
        .replaceAll(new RegExp(`(^|=):${port}$`, 'g'), `$1127.0.0.1:${own}`)
        .replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${own}`)
        .replaceAll(new RegExp(`(-p|--port) ${port}\\b`, 'g'), `$1 ${own}`);
    }
    return this.#withPorts(found);
  }

  #withPorts(text: string): string {
    let found = text;
    for (const [service, own] of this.#ports) {
      const { port } = this.#kind(service);
      found = found.replaceAll(new RegExp(`(?<![\\w-])${service}:${port}\\b`, 'g'), `127.0.0.1:${own}`);
    }
    return found;
  }

  #kind(name: string): { program?: string; port?: number } {
    const image = imageName(this.services[name]?.image ?? '');
    const kind = PROGRAMS[image];
    if (kind === undefined) throw new Error(`no program for the image ${image}`);
    return kind;
  }

  #isTrestle(name: string): boolean {
    return imageName(this.services[name]?.image ?? '') === 'trestle';
  }
}

function imageName(image: string): string {
  return image.split('/').at(-1)?.split(':')[0] ?? '';
}

/** The command that checks a service; undefined when nothing does. */
function healthOf({ healthcheck }: ComposeService, image: Image | undefined): readonly string[] | undefined {
  if (healthcheck?.disable) return undefined;
  const [kind, ...command] = healthcheck?.test ?? (image === undefined ? [] : ['CMD', ...image.healthcheck]);
  if (kind === 'CMD-SHELL') return ['sh', '-c', ...command];
  return kind === 'CMD' ? command : undefined;
}
