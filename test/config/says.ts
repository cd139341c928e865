/** The refusal of settings, with its message and code. */

import type { ExecutionContext } from 'ava';
import { ConfigError } from '../../src/config/diagnostic.js';

/** Expects that `read` throws a `ConfigError` with this message. */
export function says(
  t: ExecutionContext,
  read: () => unknown,
  message: string | RegExp,
  code: ConfigError['code'] = 'CONFIG_INVALID',
) {
  const error = t.throws(read, { instanceOf: ConfigError, message });
  t.is(error?.code, code);
}
