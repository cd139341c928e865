/** Which files of a crate import each other, from `use` and from paths that begin with `crate` or `super`. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A file of a crate: `raptor/range` for `src/raptor/range.rs`, `raptor` for `src/raptor/mod.rs`, '' for `src/lib.rs`.
 */
type Module = string;

/** Steps of a path in Rust, e.g. `super`, `graph`, `Edge`. */
type Steps = readonly string[];

/** The paths of a tree of imports: `a::{b, c::d}` is `a::b` and `a::c::d`. */
function pathsOf(tree: string): string[] {
  const open = tree.indexOf('{');
  if (open < 0) return [tree.replace(/\s+as\s+\w+/, '').trim()];
  const inside = tree.slice(open + 1, tree.lastIndexOf('}'));
  const parts = [''];
  let depth = 0;
  for (const char of inside) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  const before = tree.slice(0, open).trim();
  return parts.filter((part) => part.trim() !== '').flatMap((part) => pathsOf(before + part.trim()));
}

/** What a file imports, and which other paths of its crate it names; unit tests at its end do not count. */
function namedPaths(text: string): Steps[] {
  const code = (text.split(/#\[cfg\(test\)\]\s*mod \w+ \{/)[0] ?? '').replaceAll(/\/\/.*$/gm, '');
  const imports = [...code.matchAll(/^\s*(?:pub(?:\(\w+\))? )?use ([^;]+);/gm)].flatMap(([, tree = '']) =>
    pathsOf(tree),
  );
  const rest = code.replaceAll(/^\s*(?:pub(?:\(\w+\))? )?use [^;]+;/gm, '');
  const inline = [...rest.matchAll(/\b(?:crate|super)(?:::\w+)+/g)].map(([named]) => named);
  return [...imports, ...inline].map((named) => named.split('::'));
}

/** The files of a crate's sources without those of unit tests. */
function filesOf(source: string): Map<Module, string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rs'));
  const modules = files.map((name) => {
    const module = name
      .split(path.sep)
      .join('/')
      .replace(/\.rs$/, '')
      .replace(/(^|\/)(mod|lib)$/, '');
    return [module, readFileSync(path.join(source, name), 'utf8')] as const;
  });
  return new Map(modules.filter(([module]) => !/(^|\/)tests(\/|$)/.test(module)));
}

/** The files that each file of a crate imports; what a `mod.rs` imports from its own folder is left out. */
export function importsOf(source: string): Map<Module, Set<Module>> {
  const files = filesOf(source);
  const named = new Map([...files].map(([module, text]) => [module, namedPaths(text)]));
  const child = (module: Module, step: string): Module => (module === '' ? step : `${module}/${step}`);
  const parent = (module: Module): Module => module.split('/').slice(0, -1).join('/');

  /** The file that a path leads to; re-exported names lead to their origin. */
  function target(from: Module, [first = '', ...rest]: Steps, passedOn = 0): Module | undefined {
    let at = from;
    let steps = rest;
    if (first === 'crate') at = '';
    else if (first === 'super') at = parent(from);
    else if (first !== 'self') {
      if (!files.has(child(from, first))) return undefined;
      steps = [first, ...rest];
    }
    for (let [step] = steps; step !== undefined; [step] = steps) {
      if (step === 'super') at = parent(at);
      else if (files.has(child(at, step))) at = child(at, step);
      else {
        const origin = named.get(at)?.find((steps) => steps.length > 1 && steps.at(-1) === step);
        return (origin && passedOn < 5 ? target(at, origin, passedOn + 1) : undefined) ?? at;
      }
      steps = steps.slice(1);
    }
    return at;
  }

  const held = (module: Module, inner: Module): boolean => module === '' || inner.startsWith(`${module}/`);
  const imports = [...named].map(([module, paths]) => {
    const targets = paths.map((steps) => target(module, steps)).filter((found) => found !== undefined);
    return [module, new Set(targets.filter((found) => found !== module && !held(module, found)))] as const;
  });
  return new Map(imports);
}
