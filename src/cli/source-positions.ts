/** Stack traces that show the sources. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * From now on traces name the sources instead of the compiled files. The map of a file is read when a trace first names
 * it: the runtime's own way keeps the maps of all files in memory from the moment they are loaded.
 */
export function showSourcePositions(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  Error.prepareStackTrace = (error, sites) => {
    const frames = sites.map((site) => `\n    at ${describe(site, mapOf)}`);
    return Error.prototype.toString.call(error) + frames.join('');
  };
}

function describe(site: NodeJS.CallSite, mapOf: (file: string) => SourceMap | undefined): string {
  const text = String(site);
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return text;
  const source = fileURLToPath(new URL(entry.originalSource, file));
  return text.replace(`${file}:${line}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

/** Undefined for a file without a map, of other packages for example. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
