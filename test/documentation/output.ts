/** Compares the output of a block with the page. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CodeBlock, ROOT } from './pages.js';

/** Stands for any text, lines included. */
const ANYTHING = '…';

/** Whether `printed` is what the page says. Spaces at the ends of lines do not count. */
export function fits(printed: string, said: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = tidy(said).split(ANYTHING).map(literal).join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(tidy(printed));
}

/** For the message of a failure. */
export function difference(printed: string, said: string): string {
  const most = 4000;
  const shown =
    printed.length > most ? `${printed.slice(0, most)}\n(and ${printed.length - most} more characters)` : printed;
  return `the page says:\n${tidy(said)}\nbut it prints:\n${tidy(shown)}\nUPDATE_DOCS=1 writes what is printed where no ${ANYTHING} stands`;
}

/** Writes the output into the page. A block with `…` was shortened by hand, and has to be again. */
export function update({ page, code, output }: CodeBlock, printed: string): boolean {
  if (output === undefined || output.text.includes(ANYTHING)) return false;
  const file = path.join(ROOT, page);
  const text = readFileSync(file, 'utf8');
  const block = (content: string) =>
    `\n${code}\n\`\`\`${between(text, code, output.text)}\`\`\`output\n${content}\n\`\`\``;
  writeFileSync(
    file,
    text.replace(block(output.text), () => block(tidy(printed))),
  );
  return true;
}

/** The text between a block and its output. */
function between(text: string, code: string, output: string): string {
  const start = text.indexOf(`\n${code}\n\`\`\``) + code.length + 5;
  return text.slice(start, text.indexOf(`\`\`\`output\n${output}\n`, start));
}

function tidy(text: string): string {
  return text.replace(/[ \t]+$/gm, '').trimEnd();
}
