/** Contents in Redis and in files: they are read as they were stored, within limits of size and time. */

import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { HttpError } from '../../src/http-error.js';
import { FileContents } from '../../src/sharing/file-contents.js';
import { RedisConnection } from '../../src/sharing/redis-connection.js';
import { RedisContents } from '../../src/sharing/redis-contents.js';
import { RedisValues } from '../../src/sharing/redis-values.js';
import {
  MAX_CONTENT_BYTES,
  MissingContent,
  type SharedContents,
  wholeContent,
} from '../../src/sharing/shared-contents.js';
import { MAX_VALUE_LENGTH } from '../../src/sharing/shared-values.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const withRedis = HAS_REDIS ? test : test.skip;
const SILENT = pino({ level: 'silent' });
const MIB = 1024 ** 2;

async function connect(t: ExecutionContext) {
  const redis = await startRedis(t);
  const connection = new RedisConnection({ url: redis.url, prefix: 'test' }, SILENT);
  return { redis, connection };
}

async function inRedis(t: ExecutionContext) {
  const { connection } = await connect(t);
  await connection.open();
  t.teardown(() => connection.close());
  return { connection, contents: new RedisContents(connection) };
}

/** Bytes that differ from each other, in chunks of odd sizes. */
function* chunks(bytes: number, size = 700_001): Generator<Buffer> {
  for (let at = 0; at < bytes; at += size) {
    yield Buffer.alloc(Math.min(size, bytes - at), `${at} `);
  }
}

async function keepsAndForgets(t: ExecutionContext, contents: SharedContents): Promise<void> {
  for (const bytes of [0, 1, MIB, MIB + 1, 5 * MIB + 7]) {
    const name = `of-${bytes}`;
    t.false(await contents.has(name));
    await contents.put(name, chunks(bytes));
    t.true(await contents.has(name));
    t.true((await wholeContent(contents.get(name))).equals(Buffer.concat([...chunks(bytes)])), name);
    await contents.remove(name);
    await t.throwsAsync(wholeContent(contents.get(name)), { instanceOf: MissingContent });
  }
}

withRedis('the bytes that are read from Redis are those that were put there', async (t) =>
  keepsAndForgets(t, (await inRedis(t)).contents),
);

test('the bytes that are read from files are those that were put there', async (t) => {
  await keepsAndForgets(t, new FileContents(await temporaryDirectory(t)));
});

withRedis('a content that is too large is refused with 413, and nothing of it stays', async (t) => {
  const { connection, contents } = await inRedis(t);
  const error = await t.throwsAsync(contents.put('large', chunks(MAX_CONTENT_BYTES + 1)), { instanceOf: HttpError });
  t.is((error as HttpError).status, 413);
  t.deepEqual(await connection.ask((redis) => redis.keys('*')), []);
});

withRedis('an incomplete content does not count, and is removed after some time', async (t) => {
  const { connection, contents } = await inRedis(t);
  const broken = async function* () {
    yield Buffer.alloc(2 * MIB);
    throw new Error('the file is gone');
  };
  await t.throwsAsync(contents.put('half', broken()), { message: 'the file is gone' });
  t.false(await contents.has('half'));
  const left = await connection.ask((redis) => redis.pttl(connection.key('content', 'half')));
  t.true(left > 0 && left <= 300_000, String(left));
  await contents.put('half', [Buffer.from('whole')]);
  t.is((await wholeContent(contents.get('half'))).toString(), 'whole');
});

withRedis('everything in Redis has a time to live', async (t) => {
  const { connection } = await connect(t);
  const values = new RedisValues(connection, SILENT, 'host');
  const contents = new RedisContents(connection);
  values.watch('list', async () => undefined);
  await values.open();
  t.teardown(() => values.close());
  await values.update('list', async () => 'text');
  await contents.put('bytes', [Buffer.from('x')]);
  const keys = await connection.ask((redis) => redis.keys('*'));
  t.deepEqual(keys.sort(), ['test:content:bytes', 'test:hosts', 'test:value:list']);
  for (const key of keys) {
    const left = await connection.ask((redis) => redis.pttl(key));
    t.true(left > 0, `${key}: ${left}`);
  }
});

withRedis('a value that is too long is refused with 413, and the one before stays', async (t) => {
  const { connection } = await connect(t);
  const values = new RedisValues(connection, SILENT, 'host');
  await values.open();
  t.teardown(() => values.close());
  await values.update('list', async () => 'short');
  const error = await t.throwsAsync(values.update('list', async () => 'x'.repeat(MAX_VALUE_LENGTH + 1)));
  t.is((error as HttpError).status, 413);
  await values.update('list', async (text) => {
    t.is(text, 'short');
    return 'short';
  });
});

withRedis('a Redis that is full answers 503, and is not taken for one that is gone', async (t) => {
  const { connection, contents } = await inRedis(t);
  await connection.ask((redis) => redis.config('SET', 'maxmemory', '1'));
  const error = await t.throwsAsync(contents.put('bytes', [Buffer.from('x')]), { instanceOf: HttpError });
  t.deepEqual([(error as HttpError).status, (error as HttpError).headers['Retry-After']], [503, '2']);
  t.true(connection.isUp);
});
