/** The pages for readers name only existing things. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ROUTES } from '../../src/http/routes.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

for (const page of PAGES) {
  test(`the links of ${page} lead somewhere`, (t) => {
    const text = readFileSync(path.join(ROOT, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => !existsSync(path.join(ROOT, path.dirname(page), link)));
    t.deepEqual(broken, []);
  });
}

test('docs/api.md lists only existing resources', (t) => {
  const text = readFileSync(path.join(ROOT, 'docs/api.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)` \|/gm)].map(([, resource = '']) => resource);
  const known = new Set(ROUTES.map(({ method, path: at }) => `${method} ${at.replace(/:(\w+)/g, '{$1}')}`));
  t.true(listed.length > 0);
  t.deepEqual(
    listed.filter((resource) => !known.has(resource)),
    [],
  );
});
