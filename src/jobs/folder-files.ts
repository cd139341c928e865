/** Files of jobs in folders. */

import { open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../storage/directory.js';
import { digestOfFile } from '../storage/file-hash.js';
import { removeUnfinished, replaceContent } from '../storage/unfinished.js';
import { unlessMissing } from '../storage/unless-missing.js';
import { isLegalJobId } from './job.js';
import { FILES, type FileDigest, type JobFiles, type JobPlace } from './job-files.js';

/** The files of one job in a folder, which need not exist yet. */
export class FolderFiles implements JobFiles {
  constructor(readonly address: string) {}

  async readText(name: string): Promise<string | undefined> {
    const file = await open(this.#path(name)).catch(unlessMissing);
    try {
      return await file?.readFile('utf8');
    } finally {
      await file?.close();
    }
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const target = this.#path(name);
    await makeDirectory(path.dirname(target));
    await replaceContent(target, content);
  }

  digest(name: string): Promise<FileDigest | undefined> {
    return digestOfFile(this.#path(name)).catch(unlessMissing);
  }

  async list(start: string): Promise<string[]> {
    const folder = path.posix.dirname(`${start}x`);
    const names = await readdir(this.#path(folder)).catch(unlessMissing);
    const inside = (names ?? []).filter((name) => !name.startsWith('.'));
    return inside.map((name) => (folder === '.' ? name : `${folder}/${name}`)).filter((name) => name.startsWith(start));
  }

  remove(name: string): Promise<void> {
    return rm(this.#path(name), { force: true });
  }

  async tidy(whose: 'ended' | 'all'): Promise<void> {
    for (const folder of [this.address, this.#path(FILES.parts)]) {
      if (whose === 'ended') await removeUnfinished(folder);
      else await removeHidden(folder);
    }
  }

  async withLocalFile<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
    return work(this.#path(name));
  }

  #path(name: string): string {
    return path.join(this.address, name);
  }
}

/** Jobs as sub-folders of a folder. */
export class FolderPlace implements JobPlace {
  constructor(private readonly folder: string) {}

  async ids(): Promise<string[]> {
    const names = (await readdir(this.folder).catch(unlessMissing)) ?? [];
    const found: string[] = [];
    for (const id of names.filter(isLegalJobId)) {
      const files = await this.files(id);
      if ((await files.readText(FILES.job)) !== undefined) found.push(id);
    }
    return found;
  }

  async files(id: string): Promise<JobFiles> {
    return new FolderFiles(path.join(this.folder, id));
  }

  async remove(id: string): Promise<void> {
    await rm(path.join(this.folder, id), { recursive: true, force: true });
  }
}

/** Only unfinished files are hidden. */
async function removeHidden(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  for (const name of names) if (name.startsWith('.')) await rm(path.join(folder, name), { force: true });
}
