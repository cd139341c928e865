/** The pages for readers, and the code blocks in them. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout; this module runs from `dist/test/documentation`. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** All pages, as paths from the checkout. */
export const PAGES: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => path.join('docs', name)),
];

/** The comment before a block: `<!-- not run: why -->`, `<!-- file: name -->` or `<!-- with city -->`. */
export interface Mark {
  readonly kind: 'not run' | 'file' | 'with';
  /** The reason, the name of the file, or the name of the city. */
  readonly text: string;
}

/** A fenced block of code. */
export interface CodeBlock {
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly mark?: Mark;
  /** The block `output` that follows it. */
  readonly output?: { readonly line: number; readonly text: string };
}

const FENCE = /^ *(`{3,})(\S*)/;
const MARK = /^<!-- (not run|file|with):? (\S.*) -->$/;

/** The code blocks of a page, in their order. */
export function codeBlocks(page: string, text: string = readFileSync(path.join(ROOT, page), 'utf8')): CodeBlock[] {
  const lines = text.split('\n');
  const found: CodeBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, fence, language = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const end = lines.findIndex((line, i) => i > at && line.trim() === fence);
    if (end < 0) throw new Error(`${page}:${at + 1}: this block has no end`);
    const code = lines.slice(at + 1, end).join('\n');
    const last = found.at(-1);
    if (language !== 'output') {
      found.push({ page, line: at + 1, language, code, ...markBefore(lines, at) });
    } else if (last === undefined || last.output !== undefined) {
      throw new Error(`${page}:${at + 1}: there is no block before this one that could print it`);
    } else {
      found[found.length - 1] = { ...last, output: { line: at + 1, text: code } };
    }
    at = end;
  }
  return found;
}

/** The mark in the line before the fence, blank lines aside. */
function markBefore(lines: readonly string[], fence: number): { mark?: Mark } {
  let at = fence - 1;
  while (at >= 0 && lines[at]?.trim() === '') at--;
  const [, kind, text] = MARK.exec(lines[at]?.trim() ?? '') ?? [];
  return kind === undefined || text === undefined ? {} : { mark: { kind: kind as Mark['kind'], text } };
}

/** The pictures on a page that its code blocks write, as paths from the checkout. */
export function drawnPictures(
  page: string,
  text: string = readFileSync(path.join(ROOT, page), 'utf8'),
): readonly string[] {
  const code = codeBlocks(page, text).map((block) => block.code);
  return [...text.matchAll(/!\[[^\]]*\]\(([^):]+)\)/g)]
    .map(([, link]) => path.join(path.dirname(page), String(link)))
    .filter((picture) => code.some((block) => block.includes(path.basename(picture))));
}

/** Lines of blocks that are indented instead of fenced; they have no language, so they cannot be run. */
export function indentedBlocks(page: string): number[] {
  const lines = readFileSync(path.join(ROOT, page), 'utf8').split('\n');
  let fence: string | undefined;
  let inList = false;
  return lines.flatMap((line, i) => {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence === undefined ? mark !== undefined : line.trim() === fence)
      fence = fence === undefined ? mark : undefined;
    else if (fence === undefined && /^([-*]|\d+\.) /.test(line)) inList = true;
    else if (/^\S/.test(line)) inList = false;
    return fence === undefined && !inList && /^( {4}|\t)\S/.test(line) && lines[i - 1] === '' ? [i + 1] : [];
  });
}
