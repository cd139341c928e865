import { readdir, readlink } from 'node:fs/promises';

/** Files in a directory that this process has open, and removed ones; none where the system does not list them. */
export async function openFiles(directory: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const files = descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => ''));
  return (await Promise.all(files)).filter((file) => file.startsWith(directory));
}
