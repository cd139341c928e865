/** Tests of the page test itself: finding blocks with their marks, and comparing outputs. */

import test from 'ava';
import { fits } from './output.js';
import { codeBlocks, drawnPictures } from './pages.js';

test('blocks are found with their language, mark and output', (t) => {
  const page = [
    '<!-- file: a.csv -->',
    '',
    '```csv',
    'id',
    '```',
    'Text',
    '```sh',
    'cat a.csv',
    '```',
    '```output',
    'id',
    '```',
  ];
  t.deepEqual(codeBlocks('page.md', page.join('\n')), [
    { page: 'page.md', line: 3, language: 'csv', code: 'id', mark: { kind: 'file', text: 'a.csv' } },
    { page: 'page.md', line: 7, language: 'sh', code: 'cat a.csv', output: { line: 10, text: 'id' } },
  ]);
});

test('a mark without a reason, or not directly before the block, does not count', (t) => {
  for (const before of ['<!-- not run: -->', '<!-- never run: it is long -->', '<!-- not run: it is long -->\nText']) {
    t.is(codeBlocks('page.md', `${before}\n\`\`\`sh\nx\n\`\`\``)[0]?.mark, undefined, before);
  }
});

test('a block without an end, and an output of nothing, are refused', (t) => {
  t.throws(() => codeBlocks('page.md', '```sh\nx'), { message: /page.md:1: this block has no end/ });
  t.throws(() => codeBlocks('page.md', '```output\nx\n```'), { message: /page.md:1: there is no block before/ });
});

test('a picture that a block names is drawn by it', (t) => {
  const page = ['![A](../a.svg) and ![B](b.png)', '![C](https://example.org/c.png)', '```py', "open('a.svg')", '```'];
  t.deepEqual(drawnPictures('docs/guides/page.md', page.join('\n')), ['docs/a.svg']);
});

test('an ellipsis stands for any text, everything else for itself', (t) => {
  t.true(fits('a (1)\nb  \n', 'a (1)\nb'));
  t.true(fits('first\nsecond\nlast', 'first\n…last'));
  t.false(fits('a 12 c', 'a … d'));
  t.false(fits('a1', 'a.'));
});
