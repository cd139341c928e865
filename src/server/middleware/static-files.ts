/** Files of a directory: the web client, and what an operator puts beside it. */

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { requireReading } from './methods.js';

const INDEX = 'index.html';
const COMPRESSED = '.gz';

/** Where files are served from, and how long a browser may keep them without asking. */
interface StaticFiles {
  /** Path of the requests, `/` or `/name` without a slash at the end. */
  readonly at: string;
  /** Directory of the files; relative to the working directory. */
  readonly directory: string;
  readonly cacheControl: string;
  /** Whether a file may be there as `name.gz` alone, which is sent to clients that accept it as it is. */
  readonly compressed?: boolean;
  /** Sets headers of the answer that say what a browser may do with the files. */
  readonly allow: (ctx: Context) => void;
}

/**
 * Answers GET and HEAD for the files of a directory, with `index.html` for directories, and refuses other methods; paths
 * without a file pass. Names that begin with a dot, and links and paths that lead out of the directory, are treated as
 * missing. The entity tag comes from the size and time of the file, see `etag` of the application.
 */
export function staticFiles({ at, directory, cacheControl, allow, compressed = false }: StaticFiles): Middleware {
  const prefix = at === '/' ? '/' : `${at}/`;
  return async (ctx, next) => {
    if (ctx.path === at && at !== '/') return redirectToFolder(ctx as Context);
    if (!ctx.path.startsWith(prefix)) return next();
    const name = decodeURIComponent(ctx.path.slice(prefix.length));
    const plain = await findFile(directory, name);
    if (plain === 'folder') return redirectToFolder(ctx as Context);
    const found = plain ?? (compressed ? await findFile(directory, name + COMPRESSED) : undefined);
    if (found === undefined || found === 'folder') return next();
    requireReading(ctx);
    ctx.type = path.extname(plain?.name ?? name);
    ctx.lastModified = found.modified;
    ctx.set('Cache-Control', cacheControl);
    allow(ctx as Context);
    if (plain === undefined) sendCompressed(ctx as Context, found);
    else sendFile(ctx as Context, found);
  };
}

interface FoundFile {
  readonly name: string;
  readonly size: number;
  readonly modified: Date;
}

/**
 * The answer ends with the last announced byte and does not wait for another read: a client that has all bytes may close
 * its connection, and would then be counted as one that left.
 */
function sendFile(ctx: Context, { name, size }: FoundFile): void {
  ctx.length = size;
  ctx.body = size === 0 ? '' : createReadStream(name, { end: size - 1 });
}

/** Sends a compressed file as it is, or unpacked to the few clients that do not accept compressed files. */
function sendCompressed(ctx: Context, file: FoundFile): void {
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip');
    sendFile(ctx, file);
  } else {
    ctx.body = pipeline(createReadStream(file.name), createGunzip(), () => {});
  }
}

/** The file that a decoded relative path names; `folder` for a directory without the slash at its end. */
async function findFile(directory: string, name: string): Promise<FoundFile | 'folder' | undefined> {
  if (/[\\\0]|\/\/|^\/|(^|\/)\./.test(name)) return undefined;
  const root = await realpath(directory).catch(() => undefined);
  if (root === undefined) return undefined;
  const wanted = name === '' || name.endsWith('/') ? path.join(root, name, INDEX) : path.join(root, name);
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined || !real.startsWith(root + path.sep)) return undefined;
  const found = await stat(real);
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? { name: real, size: found.size, modified: found.mtime } : undefined;
}

/** Relative links of a page need the slash. */
function redirectToFolder(ctx: Context): void {
  requireReading(ctx);
  ctx.status = 301;
  ctx.redirect(`${ctx.path}/${ctx.search}`);
}
