/** Reads one file out of a zip in memory. */

import yauzl from 'yauzl';

/** Largest unpacked file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The first file whose name ends in `suffix`. Throws when there is none, or when it is too large. */
export function unpackOnly(bytes: Uint8Array, suffix: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (failure, zip) => {
      if (failure) return reject(failure);
      zip.on('error', reject);
      zip.on('end', () => reject(new Error(`the zip has no file '*${suffix}'`)));
      zip.on('entry', (entry: yauzl.Entry) => {
        if (!entry.fileName.toLowerCase().endsWith(suffix)) return zip.readEntry();
        if (entry.uncompressedSize > MAX_BYTES) {
          return reject(new Error(`${entry.fileName}: larger than ${MAX_BYTES} bytes`));
        }
        read(zip, entry).then(resolve, reject);
      });
      zip.readEntry();
    });
  });
}

function read(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, async (failure, stream) => {
      if (failure) return reject(failure);
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        resolve(Buffer.concat(chunks));
      } catch (error) {
        reject(error);
      }
    });
  });
}
