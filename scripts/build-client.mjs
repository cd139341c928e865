// Bundles the web client with its map library into dist/client: files that a browser loads from this server alone.
import { cp, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../src/client/', import.meta.url));
const TARGET = fileURLToPath(new URL('../dist/client/', import.meta.url));

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
await build({
  entryPoints: { client: `${SOURCE}main.ts` },
  outdir: TARGET,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: true,
  legalComments: 'linked',
  loader: { '.png': 'dataurl' },
  logLevel: 'warning',
});
for (const file of ['index.html', 'favicon.svg']) await cp(SOURCE + file, TARGET + file);
