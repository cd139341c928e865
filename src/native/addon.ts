/** The native addon. No other file loads it, and none before it is needed: `--help` works without. */

type Addon = typeof import('#addon');

/** Loads the addon. */
export async function loadAddon(): Promise<Addon> {
  try {
    return await import('#addon');
  } catch (error) {
    throw new Error('the native addon could not be loaded; build it with `npm run build:native`', { cause: error });
  }
}
