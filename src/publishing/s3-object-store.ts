/** An S3-compatible object store, by the official client. Its credentials come from the usual environment. */

import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { formatObjectAddress, type ObjectAddress } from '../config/object-address.js';
import { pauseAfter } from '../pauses.js';
import type { ObjectStore, StoredText, WriteCondition } from './object-store.js';
import { patientRetries } from './patient-retries.js';
import { PublishingError } from './publishing-error.js';

type Commands = typeof import('@aws-sdk/client-s3');

/** Tries of one request; the client waits longer before each. */
const TRIES = 8;

/** The first and the longest pause after an answer that broke off, milliseconds. */
const BROKEN_MS = 100;
const LONGEST_BROKEN_MS = 10_000;

/** Longest silence of the store in one request, milliseconds. */
const SILENCE_MS = 30_000;

/** Longest short object, bytes; longer ones were not written by Trestle. */
const MAX_TEXT_BYTES = 16 * 1024 ** 2;

/** Uploads in parts of this size; the store allows 10,000 of them. */
const PART_BYTES = 16 * 1024 ** 2;
const MAX_PARTS = 10_000;

/** Loads the client. `endpoint` is the address of a store that is not Amazon's. */
export async function openS3(place: ObjectAddress, endpoint?: string): Promise<ObjectStore> {
  // The client would warn on standard error that it will need a later Node one day; that does not belong in a log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const commands = await import('@aws-sdk/client-s3');
  const client = new commands.S3Client({
    maxAttempts: TRIES,
    retryStrategy: patientRetries(TRIES),
    // Trestle itself checks downloads: graphs by their hashes, documents by their form.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    // Self-hosted stores have no regions, but the client library requires one; and few of them have a host name for
    // each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: regionOr('us-east-1') }),
  });
  return new S3ObjectStore(client, commands, place);
}

function regionOr(otherwise: string): string {
  return process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? otherwise;
}

class S3ObjectStore implements ObjectStore {
  constructor(
    private readonly client: S3Client,
    private readonly commands: Commands,
    private readonly place: ObjectAddress,
  ) {}

  async read(key: string, known?: string): Promise<StoredText | 'same' | undefined> {
    const command = new this.commands.GetObjectCommand({ ...this.object(key), IfNoneMatch: known });
    for (let failures = 0; ; ) {
      const answer = await this.client.send(command).catch((error) => {
        if (statusOf(error) === 304) return 'same';
        if (statusOf(error) === 404) return undefined;
        throw this.failure(key, 'read', error);
      });
      if (answer === 'same' || answer === undefined) return answer;
      const { Body, ETag = '', ContentLength = 0 } = answer;
      if (ContentLength > MAX_TEXT_BYTES) {
        (Body as Readable).destroy();
        throw new PublishingError('OBJECT_DAMAGED', `${this.address(key)} is too long`);
      }
      try {
        return { text: (await Body?.transformToString()) ?? '', tag: ETag };
      } catch (error) {
        failures = await this.afterBreak(key, failures, error);
      }
    }
  }

  async write(key: string, text: string, condition: WriteCondition): Promise<boolean> {
    const when = 'ifTag' in condition ? { IfMatch: condition.ifTag } : { IfNoneMatch: '*' };
    const command = new this.commands.PutObjectCommand({
      ...this.object(key),
      ...when,
      Body: text,
      ContentType: 'application/json',
    });
    try {
      await this.client.send(command);
      return true;
    } catch (error) {
      if (![404, 409, 412].includes(statusOf(error) ?? 0)) throw this.failure(key, 'written', error);
      // The answer to an earlier try may have been lost; the store then has the object that this call wrote.
      const present = await this.read(key);
      return typeof present === 'object' && present.text === text;
    }
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    try {
      await this.client.send(new this.commands.PutObjectCommand({ ...this.object(key), Body: content }));
    } catch (error) {
      throw this.failure(key, 'written', error);
    }
  }

  async remove(key: string): Promise<void> {
    try {
      await this.client.send(new this.commands.DeleteObjectCommand(this.object(key)));
    } catch (error) {
      if (statusOf(error) !== 404) throw this.failure(key, 'removed', error);
    }
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await this.client.send(new this.commands.HeadObjectCommand(this.object(key)))).ContentLength;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw this.failure(key, 'read', error);
    }
  }

  async upload(key: string, file: string, onProgress: (fraction: number) => void = () => {}): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const { stat } = await import('node:fs/promises');
    const { size } = await stat(file);
    const body = createReadStream(file, { highWaterMark: 1024 ** 2 });
    const upload = new Upload({
      client: this.client,
      params: { ...this.object(key), Body: body, ContentType: 'application/octet-stream' },
      partSize: Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS)),
    });
    upload.on('httpUploadProgress', ({ loaded = 0 }) => onProgress(loaded / size));
    try {
      await upload.done();
    } catch (error) {
      throw this.failure(key, 'written', error);
    } finally {
      body.destroy();
    }
  }

  async download(key: string, bytes: number, take: (chunk: Buffer) => Promise<void>): Promise<void> {
    let received = 0;
    let tag: string | undefined;
    for (let failures = 0; received < bytes; ) {
      const { body, found } = await this.bytesFrom(key, bytes, received, tag);
      tag ??= found;
      const before = received;
      try {
        for await (const chunk of body) {
          received += chunk.length;
          await taken(take(chunk));
        }
      } catch (error) {
        if (error instanceof TakeFailure) throw error.cause;
        failures = await this.afterBreak(key, received > before ? 0 : failures, error);
      }
    }
  }

  /** The bytes of an object from one position on. */
  private async bytesFrom(key: string, bytes: number, position: number, tag: string | undefined) {
    const range = { Range: `bytes=${position}-`, IfMatch: tag };
    const command = new this.commands.GetObjectCommand({ ...this.object(key), ...range });
    const answer = await this.client.send(command).catch((error) => {
      if (statusOf(error) === 404) throw new PublishingError('OBJECT_MISSING', `${this.address(key)} does not exist`);
      if (statusOf(error) === 416) throw this.wrongSize(key, bytes, 'fewer');
      throw this.failure(key, 'read', error);
    });
    const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
    if (total !== undefined && Number(total) !== bytes) {
      (answer.Body as Readable).destroy();
      throw this.wrongSize(key, bytes, total);
    }
    return { body: answer.Body as Readable, found: answer.ETag };
  }

  /**
   * The client retries until an answer begins, but the connection may break after that. Waits before the next try, or
   * throws after the last one. Returns the number of failures so far.
   */
  private async afterBreak(key: string, failures: number, error: unknown): Promise<number> {
    if (failures + 1 === TRIES) throw this.failure(key, 'read', error);
    await pause(pauseAfter(failures + 1, BROKEN_MS, LONGEST_BROKEN_MS));
    return failures + 1;
  }

  async list(start: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { Contents = [] } of this.pages(start)) keys.push(...Contents.map(({ Key = '' }) => Key));
    return this.relative(keys, start);
  }

  async folders(start: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { CommonPrefixes = [] } of this.pages(start, '/')) {
      keys.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix));
    }
    return this.relative(keys, start).map((key) => key.slice(start.length, -1));
  }

  /** The answers of a listing, one after the other. */
  private async *pages(start: string, Delimiter?: string) {
    const { Bucket, Key: Prefix } = this.object(start);
    for (let token: string | undefined, more = true; more; more = token !== undefined) {
      const command = new this.commands.ListObjectsV2Command({ Bucket, Prefix, Delimiter, ContinuationToken: token });
      const page = await this.client.send(command).catch((error) => {
        throw this.failure(start, 'listed', error);
      });
      yield page;
      token = page.NextContinuationToken;
    }
  }

  /** Without the prefix of the store's address. */
  private relative(keys: readonly string[], start: string): string[] {
    const skipped = this.object(start).Key.length - start.length;
    return keys.map((key) => key.slice(skipped));
  }

  address(key: string): string {
    return `${formatObjectAddress(this.place)}/${key}`;
  }

  private object(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.place;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  private wrongSize(key: string, bytes: number, found: string): PublishingError {
    const message = `${this.address(key)} has ${found} bytes where the manifest says ${bytes}`;
    return new PublishingError('OBJECT_DAMAGED', message);
  }

  private failure(key: string, what: string, error: unknown): PublishingError {
    if (error instanceof PublishingError) return error;
    const status = statusOf(error);
    const text = `${this.address(key)} cannot be ${what}: ${reasonOf(error as Error)}${status === undefined ? '' : ` (${status})`}`;
    const code = what === 'written' && status === 507 ? 'STORE_FULL' : 'STORE_FAILED';
    return new PublishingError(code, text, { cause: error });
  }
}

function reasonOf({ name, message }: Error): string {
  if (message === 'Region is missing') {
    return "the region is not known: set AWS_REGION, or s3Endpoint for a store that is not Amazon's";
  }
  if (message === '' || message === 'UnknownError') return name;
  return name === 'Error' ? message : `${name}: ${message}`;
}

/** A failure of the function that takes the bytes, not of the store. */
class TakeFailure extends Error {}

function taken(work: Promise<void>): Promise<void> {
  return work.catch((cause) => {
    throw new TakeFailure('', { cause });
  });
}

/** The status that the store answered with; undefined when there was no answer. */
function statusOf(error: unknown): number | undefined {
  const { $metadata, $response } = error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number };
  };
  return $metadata?.httpStatusCode ?? $response?.statusCode;
}
