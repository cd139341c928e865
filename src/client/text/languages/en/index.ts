import analyse from './analyse.js';
import common from './common.js';
import explore from './explore.js';
import operate from './operate.js';
import plan from './plan.js';

/** English: the texts that all others are translations of. */
export default { analyse, common, explore, operate, plan };
