// Bundles the web client with its map library into dist/client: files that a browser loads from this server alone.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = path.join(ROOT, 'src/client');
const TARGET = path.join(ROOT, 'dist/client');
// The library's own bundles repeat in the file of its worker what the page has already. Bundled from its sources, both
// share one file, which saves a quarter of what a browser loads.
const MAP_LIBRARY = path.join(ROOT, 'node_modules/maplibre-gl/src');

/** Files smaller than this gain nothing. */
const LEAST_COMPRESSED = 2048;

const mapLibraryFromSources = {
  name: 'map library from its sources',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^maplibre-gl$/ }, () => ({ path: path.join(MAP_LIBRARY, 'index.ts') }));
    // It reads its version there; the lists of scripts and of other packages would be in the bundle too.
    onLoad({ filter: /[\\/]maplibre-gl[\\/]package\.json$/ }, async ({ path: file }) => {
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** The licences of everything in the bundle ask for a copy. */
async function licences(inputs) {
  const names = new Set();
  for (const input of Object.keys(inputs)) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name !== undefined) names.add(name);
  }
  const texts = [...names].sort().map(async (name) => {
    const folder = path.join(ROOT, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const files = ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'license', 'LICENCE'];
    const found = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8').catch(() => '')));
    return `${name} ${version} (${license})\n\n${found.find((text) => text !== '') ?? ''}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** The page, which asks for all files that its script begins with at once. */
async function page(outputs) {
  const script = Object.entries(outputs).find(([name]) => name.endsWith('/client.js'))?.[1];
  const parts = (script?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const links = parts.map(({ path: part }) => `<link rel="modulepreload" href="${path.basename(part)}">\n`);
  const html = await readFile(path.join(SOURCE, 'index.html'), 'utf8');
  return html.replace('<script', `${links.join('')}<script`);
}

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
const { metafile } = await build({
  entryPoints: { client: path.join(SOURCE, 'main.tsx'), 'map-worker': path.join(MAP_LIBRARY, 'source/worker.ts') },
  outdir: TARGET,
  plugins: [mapLibraryFromSources],
  bundle: true,
  splitting: true,
  chunkNames: 'part-[hash]',
  format: 'esm',
  target: 'es2022',
  // As the map library compiles itself: members that are only declared must not hide those of a prototype.
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false, jsx: 'react-jsx', jsxImportSource: 'preact' } },
  minify: true,
  sourcemap: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
});
await writeFile(path.join(TARGET, 'licences.txt'), await licences(metafile.inputs));
await writeFile(path.join(TARGET, 'index.html'), await page(metafile.outputs));
for (const name of await readdir(TARGET)) {
  // The server sends these as they are; the plain files would be most of the package.
  if (!/\.(js|css|txt)$/.test(name)) continue;
  const file = path.join(TARGET, name);
  const bytes = await readFile(file);
  if (bytes.length <= LEAST_COMPRESSED) continue;
  await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  await rm(file);
}
await cp(path.join(SOURCE, 'favicon.svg'), path.join(TARGET, 'favicon.svg'));
