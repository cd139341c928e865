/** The harm that somebody with write access to Redis can do to the hosts, and what their logs say about Redis. */

import { Writable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { BusyError } from '../../src/http-error.js';
import { SharedLedger } from '../../src/sharing/ledger.js';
import { RedisConnection } from '../../src/sharing/redis-connection.js';
import { RedisValues } from '../../src/sharing/redis-values.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

/** A logger, and what it has written. */
function logging() {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { logger: pino({ level: 'debug' }, stream), lines };
}

/** A host with a list of words, and a client that does what it wants. */
async function setUp(t: ExecutionContext, url: string) {
  const { logger, lines } = logging();
  const connection = new RedisConnection({ url, prefix: 'test' }, logger);
  const values = new RedisValues(connection, logger, 'host');
  const ledger = new SharedLedger<string>(values, { name: 'words', form: 1, follow: async () => undefined });
  await values.open();
  const hostile = new Redis(url);
  hostile.on('error', () => {});
  t.teardown(() => {
    values.close();
    hostile.disconnect();
  });
  return { connection, values, ledger, hostile, lines };
}

withRedis('messages that no process understands do not end one', async (t) => {
  const redis = await startRedis(t);
  const { ledger, hostile } = await setUp(t, redis.url);
  const channels = (await hostile.pubsub('CHANNELS', 'test:*')) as string[];
  t.is(channels.length, 2);
  for (const channel of channels) {
    for (const message of ['', '{', 'null', '5', '[]', '"text"', '{"name":{}}', '{"call":"x","name":["words"]}']) {
      await hostile.publish(channel, message);
    }
    for (let i = 0; i < 100; i += 1) {
      await hostile.publish(channel, JSON.stringify({ name: `unknown ${i}`, author: 'x', call: i }));
    }
  }
  await ledger.change(() => new Map([['a', 'first']]));
  t.is(ledger.get('a'), 'first');
});

for (const [what, text] of [
  ['not JSON', '{"form":'],
  ['no object', '5'],
  ['no list of entries', '{"form":1,"forgotten":0,"entries":{"a":1}}'],
  ['no entries', '{"form":1,"forgotten":0,"entries":[["a",null],7]}'],
  ['entries without stamps', '{"form":1,"forgotten":0,"entries":[["a",{"at":1,"by":"x","value":"y"}]]}'],
] as const) {
  withRedis(`a value that is ${what} is refused and stays, and what is known stays in use`, async (t) => {
    const redis = await startRedis(t);
    const { ledger, hostile } = await setUp(t, redis.url);
    await ledger.change(() => new Map([['a', 'first']]));
    await hostile.hset('test:value:words', 'text', text, 'version', 100);
    await t.throwsAsync(
      ledger.change(() => new Map([['b', 'second']])),
      { instanceOf: BusyError, message: /the shared words cannot be read/ },
    );
    t.is(await hostile.hget('test:value:words', 'text'), text);
    t.is(ledger.get('a'), 'first');
    // Removed without the loss of a connection, for example by an operator.
    await hostile.del('test:value:words');
    await ledger.change(() => new Map([['b', 'second']]));
    t.deepEqual([...ledger.present().keys()], ['a', 'b']);
  });
}

withRedis('a key of another kind is answered with 503', async (t) => {
  const redis = await startRedis(t);
  const { ledger, hostile } = await setUp(t, redis.url);
  await hostile.lpush('test:value:words', 'x');
  await t.throwsAsync(
    ledger.change(() => new Map([['b', 'second']])),
    { instanceOf: BusyError },
  );
});

withRedis('an entry that says that a process is present for ever delays nobody', async (t) => {
  const redis = await startRedis(t);
  const { ledger, hostile } = await setUp(t, redis.url);
  // As after the clock of Redis was set back.
  await hostile.zadd('test:hosts', Date.now() + 86_400_000, 'ghost host');
  const followers = await ledger.change(() => new Map([['a', 'first']]), { followMs: 600_000 });
  t.deepEqual(followers, [{ host: 'host', outcome: '' }], 'nobody else was waited for');
});

withRedis('no line of the log has a password or a stored text', async (t) => {
  const redis = await startRedis(t, '--requirepass', 'secret-before');
  const url = redis.url.replace('redis://', 'redis://:secret-before@');
  const { connection, ledger, hostile, lines } = await setUp(t, url);
  await hostile.config('SET', 'requirepass', 'secret-after');
  await hostile.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await hostile.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await until(() => lines.some((line) => /WRONGPASS/.test(line)));
  await hostile.config('SET', 'requirepass', 'secret-before');
  await until(() => connection.isUp);
  await hostile.lpush('test:value:words', 'x');
  await t.throwsAsync(ledger.change(() => new Map([['b', 'private text']])));
  await t.throwsAsync(connection.ask((asked) => asked.hset('test:value:words', 'text', 'private text')));
  const text = lines.join('');
  t.regex(text, /cannot be reached/);
  t.regex(text, /a command to Redis failed/);
  t.notRegex(text, /secret|private text/);
});
