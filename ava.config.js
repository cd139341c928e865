import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporary, removeTemporary } from './dist/src/storage/unfinished.js';

// All temporary files of the tests are in one directory, so that those of a run that was killed go with the next run.
await removeTemporary();
const TEMPORARY = await makeTemporary();
process.on('exit', () => rmSync(TEMPORARY, { recursive: true, force: true }));

// Long ones that come last by name: while the last file runs alone, a processor is idle.
const FIRST = ['ways-to-travel', 'worker-port', 'vehicles', 'tracing', 'store', 'serving', 'start'];
const rank = (file) => (FIRST.includes(path.basename(file, '.test.js')) ? 0 : 1);

// A file runs most of its code once or twice, and so do the servers and commands that it starts. Optimizing code as early as
// usual costs a file a tenth more than it saves, and the start of a server a sixth. Later versions of Node do not have
// this option.
const OPTIMIZES_LATE = process.version.startsWith('v20.');
const LATE = fileURLToPath(new URL('test/support/optimize-late.cjs', import.meta.url));

// Tests run from the compiled tree: `npm test` compiles first, so a type error fails the run.
export default {
  files: ['dist/test/**/*.test.js'],
  workerThreads: false, // one process per file: the addon and its thread pool belong to that file alone
  concurrency: availableParallelism() + 1, // tests that start other processes often wait
  nodeArguments: OPTIMIZES_LATE ? ['--interrupt-budget=1000000'] : [],
  // Not by folder: those with a browser need every processor, and would all run at the same time.
  sortTestFiles: (one, other) => rank(one) - rank(other) || path.basename(one).localeCompare(path.basename(other)),
  environmentVariables: {
    // The sample town, which one of the files of tests builds for all, is there too.
    TEST_TOWNS: TEMPORARY,
    // For the processes that tests start.
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${OPTIMIZES_LATE ? `--require ${JSON.stringify(LATE)}` : ''}`,
    // By their names on all systems.
    TMPDIR: TEMPORARY,
    TEMP: TEMPORARY,
    TMP: TEMPORARY,
  },
  timeout: '5m', // longer than any wait of a test, so that each can say what it waited for
};
