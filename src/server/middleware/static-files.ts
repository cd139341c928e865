/** Files of a directory: the web client, and what an operator puts beside it. */

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context, Middleware } from 'koa';

const INDEX = 'index.html';

/** Where files are served and how long a browser may keep them without asking. */
export interface StaticFiles {
  /** Path of the requests, `/` or `/name` without a slash at the end. */
  readonly at: string;
  /** Directory of the files; relative to the working directory. */
  readonly directory: string;
  /** Value of `Cache-Control`. */
  readonly cacheControl: string;
  /** Whether there may be `name.gz` beside a file, which is then sent to clients that accept it. */
  readonly compressed?: boolean;
  /** Sets headers of the answer that say what a browser may do with the files. */
  readonly allow: (ctx: Context) => void;
}

/**
 * Answers GET and HEAD for the files of a directory, with `index.html` for directories; everything else passes. Names
 * that begin with a dot, and links and paths that lead out of the directory, are treated as missing. The entity tag
 * comes from the size and time of the file, see `etag` of the application.
 */
export function staticFiles({ at, directory, cacheControl, allow, compressed = false }: StaticFiles): Middleware {
  const prefix = at === '/' ? '/' : `${at}/`;
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === at && at !== '/') return redirectToFolder(ctx as Context);
    if (!ctx.path.startsWith(prefix)) return next();
    const found = await findFile(directory, decodeURIComponent(ctx.path.slice(prefix.length)));
    if (found === undefined) return next();
    if (found === 'folder') return redirectToFolder(ctx as Context);
    ctx.type = path.extname(found.name);
    const file = compressed ? await compressedFile(ctx as Context, found) : found;
    ctx.length = file.size;
    ctx.lastModified = file.modified;
    ctx.set('Cache-Control', cacheControl);
    allow(ctx as Context);
    ctx.body = createReadStream(file.name);
  };
}

interface FoundFile {
  readonly name: string;
  readonly size: number;
  readonly modified: Date;
}

/** The compressed form of a file, where there is one and the client accepts it; compressing takes longer than sending. */
async function compressedFile(ctx: Context, file: FoundFile): Promise<FoundFile> {
  const name = `${file.name}.gz`;
  const found = await stat(name).catch(() => undefined);
  if (found === undefined) return file;
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return file;
  ctx.set('Content-Encoding', 'gzip');
  return { name, size: found.size, modified: found.mtime };
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
  ctx.status = 301;
  ctx.redirect(`${ctx.path}/${ctx.search}`);
}
