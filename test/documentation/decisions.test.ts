/** The beginning of every record in `docs/decisions` says what was decided, and whether it is still valid. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** The records; tests run from `dist/test`. */
const DIRECTORY = fileURLToPath(new URL('../../../docs/decisions', import.meta.url));

const FILES = readdirSync(DIRECTORY).sort();

/** The paragraphs of a record, without line breaks. */
function paragraphs(file: string): string[] {
  const text = readFileSync(path.join(DIRECTORY, file), 'utf8');
  return text.split(/\n{2,}/).map((paragraph) => paragraph.trim().replaceAll('\n', ' '));
}

for (const file of FILES) {
  test(`${file} opens with its number, its decision in one sentence, and its status`, (t) => {
    const [title, decision, status] = paragraphs(file);
    t.regex(file, /^\d{4}-[a-z0-9-]+\.md$/);
    t.regex(title ?? '', new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S`));
    t.regex(decision ?? '', /^[A-Z`][^*].*\.$/);
    t.notRegex(decision ?? '', /\. [A-Z]/, 'one sentence');
    t.regex(status ?? '', /^\*\*Status\*\* (accepted|replaced by \[(decision )?\d+\]\(\d{4}-.*\.md\)), \w+ \d{4}\./);
  });
}

test('a record that another one changes or replaces names it', (t) => {
  for (const file of FILES) {
    const [, , status = ''] = paragraphs(file);
    const changed = /(?:Changes|Replaces) (.*?)(?=\. |\.?$)/.exec(status)?.[1] ?? '';
    for (const [, link] of changed.matchAll(/\((\d{4}-[^)]+\.md)\)/g)) {
      const [, , other = ''] = paragraphs(String(link));
      t.true(other.includes(file), `the status of ${link} should name ${file}`);
    }
  }
});

test('links between records lead somewhere', (t) => {
  for (const file of FILES) {
    for (const [, link] of paragraphs(file)
      .join(' ')
      .matchAll(/\]\((\d{4}-[^)]+)\)/g)) {
      t.true(FILES.includes(String(link)), `${file} links to ${link}`);
    }
  }
});
