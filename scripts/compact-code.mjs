// Removes from the code of a package what only readers need: indentation, line ends and long names of local variables,
// almost half of the compiled modules. Functions and classes of a module keep their names for stack traces, lines stay
// short enough for editors, and the source maps still lead to the lines of the sources.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';

const MAP_COMMENT = /\n\/\/# sourceMappingURL=(\S+)\s*$/;

/** Compacts the modules at or below a path in place. */
export async function compactCode(folder) {
  if (folder.endsWith('.js')) return compactFile(folder);
  const names = await readdir(folder, { recursive: true });
  await Promise.all(names.filter((name) => name.endsWith('.js')).map((name) => compactFile(path.join(folder, name))));
}

async function compactFile(file) {
  const text = await readFile(file, 'utf8');
  const map = MAP_COMMENT.exec(text)?.[1];
  const mapFile = map === undefined ? undefined : path.join(path.dirname(file), map);
  const code = mapFile === undefined ? text : text.replace(MAP_COMMENT, inlined(await readFile(mapFile)));
  const compact = await transform(code, {
    target: 'node20',
    // Without a format, the names at the top of a module stay as they are. `keepNames` would write all of them twice.
    minify: true,
    lineLimit: 1200,
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: mapFile === undefined ? false : 'external',
    sourcesContent: false,
    sourcefile: path.basename(file),
  });
  if (mapFile === undefined) return writeFile(file, compact.code);
  await writeFile(file, `${compact.code}//# sourceMappingURL=${map}\n`);
  await writeFile(mapFile, compact.map);
}

function inlined(map) {
  return `\n//# sourceMappingURL=data:application/json;base64,${map.toString('base64')}\n`;
}
