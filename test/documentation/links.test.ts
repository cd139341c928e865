/** Every link of a page to a file of the project leads there, and every link to a heading to that heading. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { PAGES, ROOT } from './pages.js';

/** The text of a page without its code blocks. */
function prose(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8').replace(/^ *(`{3,})[\s\S]*?^ *\1$/gm, '');
}

/** The anchors of the headings, as the web pages of the repository make them. */
function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    String(title)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(page: string): string[] {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => String(link));
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchors(target).includes(anchor);
  });
}

for (const page of PAGES) {
  test(`the links of ${page} lead somewhere`, (t) => {
    t.deepEqual(brokenLinks(page), []);
  });
}

test('every guide is in the table of the README, and names the others', (t) => {
  const guides = PAGES.filter((page) => page.startsWith(path.join('docs', 'guides')));
  t.true(guides.length > 0);
  const readme = prose('README.md');
  for (const guide of guides) {
    t.true(readme.includes(`](${guide})`), `README.md has no link to ${guide}`);
    for (const other of guides.filter((page) => page !== guide)) {
      t.true(prose(guide).includes(`](${path.basename(other)})`), `${guide} has no link to ${other}`);
    }
  }
});
