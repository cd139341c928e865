/** Every link of a page to a file of the project leads there, and every link to a heading to that heading. */

import path from 'node:path';
import test from 'ava';
import { leadsSomewhere, linksOf, prose } from './page-links.js';
import { PAGES, ROOT } from './pages.js';

const brokenLinks = (page: string) => linksOf(page, ROOT).filter((link) => !leadsSomewhere(page, link, ROOT));

for (const page of PAGES) {
  test(`the links of ${page} lead somewhere`, (t) => {
    t.deepEqual(brokenLinks(page), []);
  });
}

test('every guide is in the table of the README, and names the others', (t) => {
  const guides = PAGES.filter((page) => page.startsWith(path.join('docs', 'guides')));
  t.true(guides.length > 0);
  const readme = prose('README.md', ROOT);
  for (const guide of guides) {
    t.true(readme.includes(`](${guide})`), `README.md has no link to ${guide}`);
    for (const other of guides.filter((page) => page !== guide)) {
      t.true(prose(guide, ROOT).includes(`](${path.basename(other)})`), `${guide} has no link to ${other}`);
    }
  }
});
