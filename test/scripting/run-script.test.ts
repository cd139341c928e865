/** Scripts in their interpreter: their values, and their limits. */

import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { scriptKind } from '../../src/scripting/language.js';
import { runScript, type ScriptHost } from '../../src/scripting/run-script.js';

const LIMITS = { timeMs: 60_000, memoryBytes: 16 * 1024 * 1024, outputLength: 1000 };
const HOST: ScriptHost = {
  version: () => '1.2.3',
  routers: () => ['a', 'b'],
  plan: async () => ({ plan: { legs: 3 } }),
};

const run = (source: string, limits = {}, fileName = 'test.js', host = HOST) =>
  runScript({ source, fileName, kind: scriptKind(fileName) }, host, { ...LIMITS, ...limits });

test('the value of a script is that of its last expression, as text', async (t) => {
  t.is(await run('1 + 1'), '2');
  t.is(await run('"text"'), 'text');
  t.is(await run('const x = 1;'), '');
  t.is(await run('({ a: [1, null] })'), '{"a":[1,null]}');
  t.is(await run('Promise.resolve(5).then((five) => five + 1)'), '6');
  t.is(await run(''), '');
});

test('the value of a module is its default export', async (t) => {
  t.is(await run('export default otp.version', {}, 'm.mjs'), '1.2.3');
  t.is(await run('const x = await Promise.resolve(7); export default x', {}, 'm.mjs'), '7');
  t.is(await run('export const other = 1', {}, 'm.mjs'), '');
  await t.throwsAsync(run('import fs from "fs"; export default 1', {}, 'm.mjs'), { message: /fs/ });
});

test('the server can be reached only by operations', async (t) => {
  t.is(await run('otp.routers().map((router) => router.id).join()'), 'a,b');
  const asks = { ...HOST, router: (id: string) => ({ routerId: id }) };
  t.is(await run('otp.router("a").plan({ numItineraries: 1 }).plan.legs', {}, 'x.js', asks), '3');
  for (const name of ['process', 'require', 'fetch', 'setTimeout', '__host', 'WebAssembly', 'std', 'os']) {
    t.is(await run(`typeof ${name}`), 'undefined', name);
  }
  await t.throwsAsync(run('otp.pointSets()'), { message: /^Error: there is no operation pointSets \(prelude\.js:/ });
  const failing = { ...HOST, routers: () => Promise.reject(new Error('no such thing')) };
  t.is(await run('try { otp.routers() } catch (e) { e.message }', {}, 'x.js', failing), 'no such thing');
});

test('tables are written as CSV', async (t) => {
  const csv = await run('otp.csv(["a", "b"]).add(1, "x,y").add(null, \'"\')');
  t.is(csv, 'a,b\n1,"x,y"\n,""""\n');
});

test('mistakes are reported with their place', async (t) => {
  await t.throwsAsync(run('const a = 1;\nnull.x'), { message: /^TypeError: .*\(test\.js:2(:\d+)?\)$/ });
  await t.throwsAsync(run('const ='), { message: /^SyntaxError: .*test\.js:1/ });
  await t.throwsAsync(run('throw "text"'), { message: 'uncaught: text' });
  await t.throwsAsync(run('throw { a: 1 }'), { message: 'uncaught: an object without a name and a message' });
  await t.throwsAsync(run('throw null'), { message: 'uncaught: null' });
  await t.throwsAsync(run('Promise.reject(new Error("later"))'), { message: /^Error: later/ });
  await t.throwsAsync(run('new Promise(() => {})'), { message: 'the script waits for something that never happens' });
  await t.throwsAsync(run('({ toJSON() { throw new Error("no") } })'), { message: /no/ });
});

test('time, memory, depth and output are limited', async (t) => {
  await t.throwsAsync(run('for (;;) {}', { timeMs: 300 }), { message: 'the script ran for longer than 300 ms' });
  const chained = 'const again = () => Promise.resolve().then(again); again()';
  await t.throwsAsync(run(chained, { timeMs: 300 }), { message: 'the script ran for longer than 300 ms' });
  // Whatever a script ends with after its time, the message is about the time.
  const late = { ...HOST, routers: () => pause(200).then(() => Promise.reject(new Error('too late'))) };
  await t.throwsAsync(run('otp.routers()', { timeMs: 100 }, 'x.js', late), {
    message: 'the script ran for longer than 100 ms',
  });
  const slow = { ...HOST, routers: () => new Promise(() => {}) };
  await t.throwsAsync(run('otp.routers()', { timeMs: 300 }, 'x.js', slow), {
    message: 'the script ran for longer than 300 ms',
  });
  await t.throwsAsync(run('/(a+)+$/.test("a".repeat(40) + "b")', { timeMs: 300 }), { message: /longer than 300 ms/ });
  // None of these would ever end on its own.
  await t.throwsAsync(run('const all = []; for (;;) all.push({})'), { message: /needs more than 16777216 bytes/ });
  await t.throwsAsync(run('const f = () => f() + 1; f()'), { message: /stack/i });
  await t.throwsAsync(run('"x".repeat(1001)'), { message: 'the value of the script is longer than 1000 characters' });
  await t.throwsAsync(run('"x".repeat(1 << 29)'), { message: /memory|length/ });
});

test('buffers and answers count against the memory of a script', async (t) => {
  for (const kind of ['ArrayBuffer(1 << 20)', 'SharedArrayBuffer(1 << 20)', 'Uint8Array(1 << 20)']) {
    const megabytes = Number(await run(`const all = []; try { for (;;) all.push(new ${kind}) } catch {} all.length`));
    t.true(megabytes > 4 && megabytes < 64, `${megabytes} of ${kind}`);
  }
  const generous = { ...HOST, routers: () => 'x'.repeat(40 * 1024 * 1024) };
  await t.throwsAsync(run('otp.routers()', {}, 'x.js', generous), {
    message: /the answer is longer than 33554432 bytes/,
  });
});

test('a failure of any size is reported briefly and in time', async (t) => {
  const source = 'throw { name: "n", message: "m".repeat(3e6), stack: "s".repeat(2e6) }';
  await t.throwsAsync(run(source, { timeMs: 30_000 }), { message: 'n: a text of 3000000 characters' });
  const nested = 'let a = []; for (let i = 0; i < 24; i += 1) a = [a, a]; throw a';
  await t.throwsAsync(run(nested, { timeMs: 30_000 }), { message: /^uncaught: an object without / });
});

test('a script cannot tamper with its way to the server', async (t) => {
  t.is(await run('JSON.parse = () => "no"; JSON.stringify = () => "no"; otp.routers().length'), '2');
  await t.throwsAsync(run('"use strict"; otp.version = 1'), { message: /read-only|not writable|no setter|extensible/ });
  t.is(await run('Object.prototype.x = 1; Array.prototype.map = null; otp.version'), '1.2.3');
});

test('languages of other servers are refused by name', (t) => {
  const message = 'scripts are JavaScript, in a file named .js or .mjs';
  t.throws(() => scriptKind('a.py'), { message: `Python cannot be run here; ${message}` });
  t.throws(() => scriptKind('a.groovy'), { message: `Groovy cannot be run here; ${message}` });
  t.throws(() => scriptKind('a'), { message: `files named "" cannot be run here; ${message}` });
  t.is(scriptKind('A.JS'), 'script');
});
