// How many tests passed, failed and were skipped, read from what the programs that ran them wrote (without colours).

const sum = (texts) => texts.reduce((total, text) => total + Number(text), 0);
const numbers = (output, pattern) => sum([...output.matchAll(pattern)].map((match) => match[1]));

/** Counts of `cargo test`: one summary line per test binary. */
export function cargoCounts(output) {
  return {
    passed: numbers(output, /^test result: \S+ (\d+) passed;/gm),
    failed: numbers(output, /^test result: \S+ \d+ passed; (\d+) failed;/gm),
  };
}

/** What each failed test of `cargo test` printed, under its name; of long texts the start and the end. */
export function cargoFailures(output) {
  const printed = output.matchAll(/^---- (.+) stdout ----\n([\s\S]*?)(?=^---- |^failures:$)/gm);
  return [...printed].map(([, name, text]) => `${name}\n${startAndEnd(text.trim())}`);
}

const startAndEnd = (text) => (text.length <= 2000 ? text : `${text.slice(0, 1000)} […] ${text.slice(-1000)}`);

/**
 * Counts of AVA, where skipped tests are counted too. Its summary leaves out those that passed as soon as one failed, so
 * they are counted in the list of tests: one line with a tick each. What failed is in the summary: `3 tests failed`,
 * `1 uncaught exception`.
 */
export function avaCounts(output) {
  return {
    passed: [...output.matchAll(/^\s*[✔√] (?!\[expected fail\])/gm)].length,
    failed: numbers(output, /^\s*(\d+) (?:(?:tests?|hooks?) failed|(?:uncaught exception|unhandled rejection)s?)/gm),
    skipped: numbers(output, /^\s*(\d+) tests? skipped$/gm),
  };
}
