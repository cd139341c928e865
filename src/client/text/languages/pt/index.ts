import type { Texts } from '../../message.js';
import common from './common.js';
import plan from './plan.js';

/** Portuguese. */
export default { common, plan } satisfies Texts;
