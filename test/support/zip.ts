import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipArchive } from 'archiver';

/** A zip of these files with the best compression. */
export async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipArchive({ zlib: { level: 9 } });
  const out = new PassThrough();
  archive.pipe(out);
  for (const [name, content] of Object.entries(files)) archive.append(content, { name });
  void archive.finalize();
  return buffer(out);
}
