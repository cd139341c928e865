import test from 'ava';
import { showSourcePositions } from '../../src/cli/source-positions.js';

test('traces name the source of a compiled file, and other frames as they are', (t) => {
  const before = Error.prepareStackTrace;
  showSourcePositions();
  t.teardown(() => {
    Error.prepareStackTrace = before;
  });
  const lines = (new TypeError('wrong').stack ?? '').split('\n');
  t.is(lines[0], 'TypeError: wrong');
  t.regex(lines[1] ?? '', /^ {4}at \S*.*[/\\]test[/\\]cli[/\\]source-positions\.test\.ts:\d+:\d+\)?$/);
  t.false(lines.slice(1).some((line) => line.includes('source-positions.test.js')));
});
