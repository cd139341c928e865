// Runs programs that check files of other tools: those of scripts/linters.txt in .linters, and those of the system.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LINTERS = `${ROOT}.linters`;

/** Whether a program is there. Its checks are left out if not, which is an error with CI=true. */
export function isThere(what, found) {
  if (found) return true;
  if (process.env.CI === 'true') throw new Error(`${what} is missing; nothing may be left out where CI=true`);
  console.log(`left out: ${what} is missing`);
  return false;
}

export const hasLinters = () =>
  isThere('.linters (python3 -m pip install --target .linters -r scripts/linters.txt)', existsSync(LINTERS));

export const hasProgram = (name) =>
  isThere(name, spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0);

/** Runs a program in the root of the project; linters of .linters are on its PATH. */
export function run(program, args, { input, env = {} } = {}) {
  const paths = { PYTHONPATH: LINTERS, PATH: `${LINTERS}/bin:${process.env.PATH}` };
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    input,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: { ...process.env, ...paths, ...env },
  });
  if (error) throw error;
  return { ok: status === 0, stdout, said: `${stdout}${stderr}`.trim() };
}

/** The problems that a program finds, a line each. */
export function problemsOf(program, args, options) {
  const { ok, said } = run(program, args, options);
  return ok ? [] : [`${program} ${args.join(' ')}: ${said}`];
}

/** Calls `work` with a temporary folder inside the project, so that files in it can import the project's packages. */
export function inFolder(name, work) {
  const folder = `${ROOT}target/${name}-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The problems that the TypeScript compiler finds in a file. */
export function typeProblems(file) {
  const flags = ['--noEmit', '--skipLibCheck', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  return problemsOf('node_modules/.bin/tsc', [...flags, '--ignoreConfig', file]);
}
