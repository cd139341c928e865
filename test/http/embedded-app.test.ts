/** `createApp`: what it does with its options. */

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { SPOOL_DIRECTORY } from '../../src/registry/spool.js';
import { type AppOptions, createApp } from '../../src/server/embed.js';
import { WRITER } from '../../src/storage/writer.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('unknown and useless options are refused by their names', async (t) => {
  const basePath = await temporaryDirectory(t);
  for (const [options, message] of [
    [{ routrs: ['default'] }, /: routrs: unknown key; did you mean "routers"\?$/],
    [{ users: [{ name: 'a', pasword: 'b' }] }, /: users\[0\]: password is missing \(unknown: pasword\)$/],
    [
      { geocoders: [{ type: 'photon', url: 'http://a', apikey: 'b' }] },
      /: geocoders\[0\]\.apikey: unknown key; did you mean "apiKey"\?$/,
    ],
    [{ port: 8080 }, /: port: is set by the program that runs the application$/],
    [{ maxQueuedSearches: Number.NaN }, /: maxQueuedSearches: expected a whole number of at least 0, found "NaN"$/],
    [{ maxSearchMs: Infinity }, /: maxSearchMs: expected a whole number/],
    [{ maxUploadBytes: -1 }, /: maxUploadBytes: expected a number of at least 0, found -1$/],
  ] as const) {
    const made = createApp({ basePath, ...options } as AppOptions);
    await t.throwsAsync(made, { code: 'CONFIG_INVALID', message });
  }
});

test('absent options have their defaults', async (t) => {
  const options = { basePath: await temporaryDirectory(t), alertFile: undefined, baseMap: null, maxThreads: 1 };
  const { app, close } = await createApp(options as unknown as AppOptions);
  t.is(typeof app.callback, 'function');
  await close();
});

test('an application that is closed leaves the files of others of its process', async (t) => {
  const basePath = await temporaryDirectory(t);
  const [one, other] = [await createApp({ basePath, maxThreads: 1 }), await createApp({ basePath, maxThreads: 1 })];
  const folder = path.join(basePath, 'graphs', SPOOL_DIRECTORY, WRITER);
  await mkdir(folder, { recursive: true });
  const upload = path.join(folder, `${process.pid}-upload.obj`);
  await writeFile(upload, '');
  await one.close();
  t.true(existsSync(upload));
  await rm(upload);
  await other.close();
  t.false(existsSync(folder));
});
