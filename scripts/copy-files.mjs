// Copies the files that compiled modules read to the folder beside them, because an installation has no sources.
import { cp, rm } from 'node:fs/promises';

const ROOT = new URL('..', import.meta.url);
const FOLDERS = [
  'src/http/resources/description/docs',
  'src/http/resources/graphql/page',
  'src/bench/peer-scripts',
  'src/sample',
];

for (const folder of FOLDERS) {
  const target = new URL(`dist/${folder}`, ROOT);
  await rm(target, { recursive: true, force: true });
  await cp(new URL(folder, ROOT), target, { recursive: true });
}
