import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';

/** A fresh directory that disappears with the test. */
export async function temporaryDirectory(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-test-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
