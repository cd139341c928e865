/** The native addon. Only this file loads it, and only when it is needed: `--help` works without it. */

type Addon = typeof import('./library.js');

/** Loads the addon. */
export async function loadAddon(): Promise<Addon> {
  try {
    return await import('./library.js');
  } catch (error) {
    throw new Error('the native addon could not be loaded; build it with `npm run build:native`', { cause: error });
  }
}
