// Changes the links of a package's pages that lead to files of the checkout which are not packed: they lead to the same
// files in the repository, as they were when the package was made.
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A link or a picture, outside of blocks of code. */
const LINK = /(!?\[[^\]]*\]\()([^)\s]+)\)/g;
const BLOCK = /(^ *(`{3,})[\s\S]*?^ *\2$)/gm;

/** Changes the pages below `root`, the unpacked package, in place. `checkout` has all files. */
export async function leadToRepository(root, checkout) {
  const { repository, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const web = repository.url.replace(/^git\+|\.git$/g, '');
  const names = await readdir(root, { recursive: true });
  for (const page of names.filter((name) => name.endsWith('.md'))) {
    const text = await readFile(path.join(root, page), 'utf8');
    const parts = [];
    // Splitting gives texts, blocks and their fences by turns.
    for (const [i, part] of text.split(BLOCK).entries()) {
      if (i % 3 === 0) parts.push(await changed(part, page));
      if (i % 3 === 1) parts.push(part);
    }
    await writeFile(path.join(root, page), parts.join(''));
  }

  async function changed(prose, page) {
    const targets = new Map();
    for (const [, , link] of prose.matchAll(LINK)) targets.set(link, await target(page, link));
    return prose.replace(LINK, (_, before, link) => `${before}${targets.get(link)})`);
  }

  async function target(page, link) {
    const [file] = link.split('#');
    if (file === '' || /^[a-z]+:/.test(link)) return link;
    const place = path.join(path.dirname(page), link).replaceAll(path.sep, '/');
    const [placed] = place.split('#');
    if (existsSync(path.join(root, placed))) return link;
    const isFolder = (await stat(path.join(checkout, placed))).isDirectory();
    const kind = isFolder ? 'tree' : /\.(png|svg)$/.test(placed) ? 'raw' : 'blob';
    return `${web}/${kind}/v${version}/${place}`;
  }
}
