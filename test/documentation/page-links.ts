/** The links of pages in Markdown. Pages are paths from a root: the checkout, or an installed package. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The text of a page without its code blocks. */
export function prose(page: string, root: string): string {
  return readFileSync(path.join(root, page), 'utf8').replace(/^ *(`{3,})[\s\S]*?^ *\1$/gm, '');
}

/** The links and pictures of a page, apart from those in its code blocks. */
export function linksOf(page: string, root: string): string[] {
  return [...prose(page, root).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => String(link));
}

/** Whether a link is to a file below the root and, with an anchor, to a heading there. Other addresses are not checked. */
export function leadsSomewhere(page: string, link: string, root: string): boolean {
  if (/^[a-z]+:/.test(link)) return true;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchors(target, root).includes(anchor);
}

/** The anchors of the headings, as the web pages of the repository make them. */
function anchors(page: string, root: string): string[] {
  return [...prose(page, root).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    String(title)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}
