import type { Texts } from '../../message.js';
import common from './common.js';
import plan from './plan.js';

/** Finnish. */
export default { common, plan } satisfies Texts;
