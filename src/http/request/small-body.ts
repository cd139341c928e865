/** Bodies that fit into memory. The libraries that read them are loaded with the first one. */

import { Writable } from 'node:stream';
import type { Context } from 'koa';
import type { KoaBodyMiddlewareOptions } from 'koa-body';
import { HttpError } from '../../http-error.js';
import { jsonOf } from '../../json.js';
import { tooLarge } from '../../storage/write-body.js';
import { decoded } from './body-charset.js';

/** A file of a form. */
interface SentFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The body of a request as text, whatever its type, decompressed if necessary, in the charset of its type or of its XML
 * declaration, else in UTF-8. It is read once, with the first limit, and then remembered.
 * @throws HttpError 413 when it is longer than `maxBytes`, 400 or 415 when it cannot be read.
 */
export function readText(ctx: Context, maxBytes: number): Promise<string> {
  ctx.state.text ??= readWholeText(ctx, maxBytes);
  return ctx.state.text;
}

async function readWholeText(ctx: Context, maxBytes: number): Promise<string> {
  refuseLonger(ctx, maxBytes);
  // Without a type, no reader would take the body.
  ctx.req.headers['content-type'] ||= 'text/plain';
  // The reader gives a text, with the bytes as its characters.
  await read(ctx, maxBytes, { text: true, textTypes: ['*/*'], textLimit: maxBytes, encoding: 'binary' });
  const { body, charset } = ctx.request;
  if (typeof body !== 'string') return '';
  return decoded(Buffer.from(body, 'binary'), charset);
}

/** The value of a JSON text. Throws an `HttpError` 400 for any other text. */
export function parseJson(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw new HttpError(400, 'the body is not valid JSON\n');
  return value;
}

/** Whether a value of JSON is an object, and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object of a JSON text. Throws an `HttpError` 400 for any other text. */
export function parseJsonObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isObject(value)) throw new HttpError(400, 'the body is not a JSON object\n');
  return value;
}

/**
 * A file of a form, `undefined` when the form does not have it.
 * @throws HttpError 413 when the form is longer than `maxBytes`, 400 when the body is not a form or the file not UTF-8.
 */
export async function readFormFile(ctx: Context, field: string, maxBytes: number): Promise<SentFile | undefined> {
  refuseLonger(ctx, maxBytes);
  const contents = new Map<unknown, Buffer[]>();
  const fileWriteStreamHandler = (file?: unknown) => {
    const chunks: Buffer[] = [];
    contents.set(file, chunks);
    return new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
  };
  const limits = { maxFileSize: maxBytes, maxTotalFileSize: maxBytes, maxFieldsSize: maxBytes, minFileSize: 0 };
  const formidable = { ...limits, allowEmptyFiles: true, fileWriteStreamHandler, onPart: readFileWithoutType };
  await read(ctx, maxBytes, { multipart: true, formidable });
  if (!ctx.request.files) throw new HttpError(400, 'the body is not multipart/form-data\n');
  const file = [ctx.request.files[field]].flat()[0];
  if (!file) return undefined;
  const text = decoded(Buffer.concat(contents.get(file) ?? []), 'utf-8');
  return { name: file.originalFilename ?? '', text };
}

/** Python sends files without a type, which the reader would regard as fields. */
const readFileWithoutType: NonNullable<NonNullable<KoaBodyMiddlewareOptions['formidable']>['onPart']> = (
  part,
  read,
) => {
  if (typeof part.originalFilename === 'string') part.mimetype ||= 'application/octet-stream';
  read(part);
};

async function read(ctx: Context, maxBytes: number, options: Partial<KoaBodyMiddlewareOptions>): Promise<void> {
  const { koaBody } = await import('koa-body');
  const encoding = ctx.req.headers['content-encoding']?.toLowerCase();
  if (encoding !== undefined) ctx.req.headers['content-encoding'] = encoding === 'x-gzip' ? 'gzip' : encoding;
  const only = { text: false, json: false, urlencoded: false, patchNode: false };
  try {
    await koaBody({ ...only, ...options } as KoaBodyMiddlewareOptions)(ctx, async () => {});
  } catch (error) {
    // A request that ended before it was read has no body to be read, and nobody waits for the answer.
    const status = clientErrorStatus(error as BodyError) ?? (ctx.req.destroyed ? 400 : undefined);
    if (status === undefined) throw error;
    if (status === 413) throw tooLarge(maxBytes);
    throw new HttpError(status, `the body cannot be read: ${(error as Error).message}\n`, { Connection: 'close' });
  }
}

interface BodyError extends Error {
  readonly code?: unknown;
  readonly httpCode?: number;
  readonly status?: number;
}

/** Codes of the runtime for broken gzip, and for broken Brotli. */
const UNREADABLE = /^(?:Z_|ERR__ERROR_FORMAT_)/;

/** The status of a client error, as the readers of text and forms and zlib report it. */
function clientErrorStatus({ code, httpCode, status }: BodyError): number | undefined {
  if (typeof code === 'string' && UNREADABLE.test(code)) return 400;
  const given = status ?? httpCode ?? 500;
  return given < 500 ? given : undefined;
}

/**
 * Refuses a body that is stored as it is, if it is compressed for the transport.
 * @throws HttpError 415
 */
export function refuseEncoded(ctx: Context): void {
  const encoding = ctx.get('Content-Encoding').toLowerCase();
  if (encoding === '' || encoding === 'identity') return;
  throw new HttpError(415, 'send the file without Content-Encoding\n', { Connection: 'close' });
}

/**
 * Refuses a body whose Content-Length is more than `maxBytes`.
 * @throws HttpError 413
 */
export function refuseLonger(ctx: Context, maxBytes: number): void {
  if (Number(ctx.get('Content-Length')) > maxBytes) throw tooLarge(maxBytes);
}
