import { availableParallelism } from 'node:os';
import path from 'node:path';

// Tests run from the compiled tree: `npm test` compiles first, so a type error fails the run.
export default {
  files: ['dist/test/**/*.test.js'],
  workerThreads: false, // one process per file: the addon and its thread pool belong to that file alone
  concurrency: availableParallelism() + 1, // tests that start other processes often wait
  // Not by folder: those with a browser need every processor, and would all run at the same time.
  sortTestFiles: (one, other) => path.basename(one).localeCompare(path.basename(other)),
  timeout: '5m', // longer than any wait of a test, so that each can say what it waited for
};
