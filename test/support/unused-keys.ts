/** Keys of a configuration that other servers of the interface use, and this one does not. */

import type { Fields } from '../../src/config/fields.js';

export function unusedKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.kind === 'unused');
}
