/**
 * Runs every code block of the pages against the sample town, and compares its output with the page. ARCHITECTURE.md
 * explains how blocks are written.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { hasShared, isThere, SHARED } from '../support/needs.js';
import { difference, fits, update } from './output.js';
import { COMPILER_SETTINGS, PageRunner, PYTHON_PACKAGES, refusePlanErrors, SampleTown } from './page-runner.js';
import { type CodeBlock, codeBlocks, drawnPictures, indentedBlocks, PAGES, ROOT } from './pages.js';

const CONFIGURATION = /(^|\/)(server|build|router)-config\.json$/;

let town: SampleTown | undefined;
let runner: PageRunner | undefined;

test.before(async () => {
  town = await SampleTown.make();
});
test.after.always(async () => {
  await runner?.close();
  await town?.remove();
});

/** How to run a block of each language; returns its output. */
const LANGUAGES: Readonly<Record<string, (page: PageRunner, code: string) => Promise<string>>> = {
  sh: (page, code) => page.shell(code),
  ts: (page, code) => page.program(code),
  py: (page, code) => page.python(code),
  r: (page, code) => page.r(code),
  http: sendAll,
  graphql: query,
};

/** Lines with a method and a target, and after two spaces a remark. Each has to succeed; the last answer is printed. */
async function sendAll(page: PageRunner, code: string): Promise<string> {
  let last = '';
  for (const line of code.split('\n').filter((text) => text.trim() !== '')) {
    const [, method, target] = /^([A-Z]+) +(\S+)(?: {2,}\S.*)?$/.exec(line) ?? [];
    if (method === undefined || target === undefined) throw new Error(`not a request: ${line}`);
    const answer = await page.request(method, target);
    last = await answer.text();
    if (!answer.ok) throw new Error(`${line}\nis answered with ${answer.status} ${last}`);
    refusePlanErrors(last);
  }
  return last;
}

async function query(page: PageRunner, code: string): Promise<string> {
  const body = JSON.stringify({ query: code });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await page.request('POST', '/otp/routers/default/index/graphql', { body, headers });
  const { data, errors } = (await answer.json()) as { data?: unknown; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors, null, 2));
  return JSON.stringify(data);
}

/** Saves a block as a file; configuration has to pass `trestle check` without a warning. */
async function keep(page: PageRunner, name: string, code: string): Promise<string> {
  await page.write(name, `${code}\n`);
  if (!CONFIGURATION.test(name)) return '';
  const report = await page.shell(`trestle check '${path.dirname(name)}' 2>&1`);
  if (!report.includes(`${path.basename(name)}: ok\n`) || /^ /m.test(report)) throw new Error(report);
  return report;
}

/** Whether a program runs here; each is asked for once. */
const programs = new Map<string, boolean>();
function has(what: string, name: string, ...args: string[]): boolean {
  const known = programs.get(what) ?? isThere(what, runs(name, ...args));
  programs.set(what, known);
  return known;
}

/** Whether Python is here, with the packages that a program uses. */
function hasPython(code: string): boolean {
  const used = ['geopandas', 'rasterio'].filter((name) => code.includes(`import ${name}\n`));
  return has(['python3', ...used].join(' with '), 'python3', '-c', used.map((name) => `import ${name}`).join('\n'));
}

/** Whether R is here with the packages that the pages use. */
const hasR = () => has('Rscript', 'Rscript', '-e', 'library(sf); library(jsonlite); library(httr)');

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: { ...process.env, PYTHONPATH: PYTHON_PACKAGES } });
    return true;
  } catch {
    return false;
  }
}

/** Runs a block; undefined when it cannot be run here. */
async function execute(page: PageRunner, { language, code, mark }: CodeBlock): Promise<string | undefined> {
  if (mark?.kind === 'file') return keep(page, mark.text, code);
  if (mark?.kind === 'with') {
    if (!hasShared('data', mark.text)) return undefined;
    await page.addCity(path.join(SHARED, 'data', mark.text), mark.text);
  }
  if (language === 'py' && !hasPython(code)) return undefined;
  if (language === 'r' && !hasR()) return undefined;
  const run = LANGUAGES[language];
  if (run === undefined) {
    const known = Object.keys(LANGUAGES).join(', ');
    throw new Error(
      `there is no way to run a block of language '${language}' (known: ${known}); if it is a file, write <!-- file: NAME --> before it, if it cannot be run, <!-- not run: WHY -->`,
    );
  }
  return run(page, code);
}

/** Files that no later block of the page uses: nothing would show whether they are right. */
function unusedFiles(blocks: readonly CodeBlock[]): string[] {
  return blocks.flatMap(({ mark }, i) => {
    if (mark?.kind !== 'file' || CONFIGURATION.test(mark.text)) return [];
    const used = mark.text.endsWith('.py')
      ? `from ${path.basename(mark.text, '.py')} import`
      : path.basename(mark.text);
    return blocks.slice(i + 1).some(({ code }) => code.includes(used)) ? [] : [mark.text];
  });
}

test('programs in TypeScript are compiled as their guide says', (t) => {
  const guide = codeBlocks('docs/guides/typescript.md');
  const [command] = guide.flatMap(({ code }) => /^npx tsc (.*) trips\.ts/m.exec(code)?.[1] ?? []);
  t.is(command, COMPILER_SETTINGS.join(' '));
});

for (const page of PAGES) {
  test(`the files in ${page} are used by its code`, (t) => {
    t.deepEqual(unusedFiles(codeBlocks(page)), []);
  });

  test(`the text of ${page} names the files that readers are to make`, (t) => {
    const text = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(/<!--.*?-->/g, '');
    const files = codeBlocks(page).flatMap(({ mark }) => (mark?.kind === 'file' ? [path.basename(mark.text)] : []));
    t.deepEqual(
      files.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });

  test(`the code blocks of ${page} are fenced`, (t) => {
    t.deepEqual(indentedBlocks(page), [], 'a block begins with ``` and its language');
  });

  const blocks = codeBlocks(page).filter(({ mark }) => mark?.kind !== 'not run');
  for (const [i, block] of blocks.entries()) {
    test.serial(`${page}:${block.line} ${block.language} runs`, async (t) => {
      if (i === 0) {
        await runner?.close();
        runner = await PageRunner.start(town as SampleTown);
      }
      const printed = await execute(runner as PageRunner, block).catch((error: Error) => error);
      if (printed instanceof Error) return t.fail(`${page}:${block.line}: ${printed.message}`);
      const said = block.output?.text;
      if (printed === undefined || said === undefined || fits(printed, said)) return t.pass();
      if (process.env.UPDATE_DOCS && update(block, printed)) return t.pass();
      return t.fail(`${page}:${block.output?.line}: ${difference(printed, said)}`);
    });
  }

  for (const picture of drawnPictures(page)) {
    test.serial(`${page} shows ${picture} as its code draws it`, async (t) => {
      const drawn = await (runner as PageRunner).read(path.basename(picture));
      if (drawn === undefined && blocks.some(({ language }) => language === 'py') && !hasPython('')) return t.pass();
      if (drawn === undefined) return t.fail('no block wrote it');
      const shown = path.join(ROOT, picture);
      if (process.env.UPDATE_DOCS) await writeFile(shown, drawn);
      return t.true(drawn.equals(await readFile(shown)), 'UPDATE_DOCS=1 writes what is drawn');
    });
  }
}
