// Puts index.d.ts into the order of a reference: napi-rs sorts it by name, and types-contents.mjs lists what belongs
// together. Runs after each build of the addon, and leaves a file alone that is already in order.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GROUPS, METHODS } from './types-contents.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MARK = '// In the order of scripts/types-contents.mjs.';

/** The declarations of a text by name, each with its comment; the text before the first one is the head. */
function declarations(text, start, nameOf) {
  // The line before it keeps a declaration at the very beginning apart from the head.
  const [head, ...found] = `\n${text}`.split(start);
  const byName = new Map();
  let comment = '';
  for (const part of found) {
    const whole = comment + part;
    const name = nameOf(part);
    // A comment belongs to the declaration after it.
    comment = name === undefined ? whole : '';
    if (name !== undefined) byName.set(name, whole.trimEnd());
  }
  return { head, byName };
}

const exported = (text) =>
  declarations(text, /^(?=\/\*\*|export )/m, (part) => {
    return /^export (?:declare )?(?:class|interface|type|function|const) (\w+)/.exec(part)?.[1];
  });

const methods = (body) =>
  declarations(body, /^(?= {2}(?:\/\*\*|[a-z]))/m, (part) => /^ {2}(?:static )?(\w+)\(/.exec(part)?.[1]);

/** The declarations in their groups; throws when one is in no group, or a group has a name without a declaration. */
function grouped(byName, groups, what, format) {
  const left = new Map(byName);
  const parts = groups.map(({ heading, names }) => {
    const own = names.map((name) => {
      const text = left.get(name);
      if (text === undefined) throw new Error(`types-contents.mjs: ${what} ${name} does not exist, or is named twice`);
      left.delete(name);
      return text;
    });
    return format(heading, own);
  });
  if (left.size > 0) throw new Error(`types-contents.mjs: in no group: ${what} ${[...left.keys()].join(', ')}`);
  return parts.join('\n\n');
}

function groupedClass(name, text) {
  const groups = METHODS[name];
  if (groups === undefined || !text.includes(`export declare class ${name} `)) return text;
  const [open, body] = text.split(/(?<=^export declare class \w+ \{\n)/m);
  const { byName } = methods(body.replace(/\}\s*$/, ''));
  const sorted = grouped(byName, groups, `${name}.`, (heading, own) => `  // ${heading}.\n\n${own.join('\n\n')}`);
  return `${open}${sorted}\n}`;
}

/** Comments of members on lines of their own: on the line of the member before, the formatter would keep them with it. */
const apart = (text) => text.replace(/; (?=\/\*\*)/g, ';\n      ');

/** Comments as they are written: where a macro declares a struct, napi-rs takes them as raw texts of Rust. */
const unquoted = (text) => text.replace(/(?<=^ *\/?\*+ )r(#*)" (.*?)("\1)?(?=$| \*\/$)/gm, '$2');

/** The text of index.d.ts in its order. */
export function groupTypes(text) {
  const { head, byName } = exported(apart(unquoted(text)));
  for (const [name, declaration] of byName) byName.set(name, groupedClass(name, declaration));
  const line = `// ${'-'.repeat(77)}`;
  const body = grouped(byName, GROUPS, '', (heading, own) => `${line}\n// ${heading}\n${line}\n\n${own.join('\n\n')}`);
  return `${head.trim()}\n//\n${MARK}\n\n${body}\n`;
}

/** The text as the formatter writes it. */
function formatted(text) {
  const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=src/index.d.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(ROOT, 'index.d.ts');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(MARK)) writeFileSync(file, formatted(groupTypes(text)));
}
