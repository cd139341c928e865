/** Which scripts can be run, by their file names. */

import path from 'node:path';
import { quoted } from '../quoted.js';

/**
 * How a file is run: as a script, whose value is its last expression, or as a module, whose value is its default
 * export.
 */
export type ScriptKind = 'script' | 'module';

const KINDS: Readonly<Record<string, ScriptKind>> = { '.js': 'script', '.mjs': 'module' };

const OTHERS: Readonly<Record<string, string>> = { '.py': 'Python', '.groovy': 'Groovy' };

/** A file in a language that cannot be run; the message says which can. */
export class UnknownLanguage extends Error {}

/** Throws `UnknownLanguage`. */
export function scriptKind(fileName: string): ScriptKind {
  const extension = path.extname(fileName).toLowerCase();
  const kind = KINDS[extension];
  if (kind !== undefined) return kind;
  const language = OTHERS[extension] ?? `files named ${quoted(extension)}`;
  throw new UnknownLanguage(`${language} cannot be run here; scripts are JavaScript, in a file named .js or .mjs`);
}
