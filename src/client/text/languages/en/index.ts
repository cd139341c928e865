import common from './common.js';
import plan from './plan.js';

/** English: the texts that all others are translations of. */
export default { common, plan };
