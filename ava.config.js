// Tests run from the compiled tree: `npm test` compiles first, so a type error fails the run.
export default {
  files: ['dist/test/**/*.test.js'],
  workerThreads: false, // one process per file: the addon and its thread pool belong to that file alone
  timeout: '5m', // longer than any wait of a test, so that each can say what it waited for
};
