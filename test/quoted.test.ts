/** Values of others in messages. */

import test from 'ava';
import { quoted } from '../src/quoted.js';

test('a value is shown as JSON, a long one by its beginning', (t) => {
  t.is(quoted('a "b"\n'), '"a \\"b\\"\\n"');
  t.is(quoted(1.5), '1.5');
  t.is(quoted(undefined), 'nothing');
  const text = 'x'.repeat(80);
  t.is(quoted(text), `"${text}"`);
  t.is(quoted(`${text}y`), `"${text}…"`);
  t.is(quoted([text, text]), `["${text.slice(1)}…]`);
});
