import type { Texts } from '../../message.js';
import analyse from './analyse.js';
import common from './common.js';
import explore from './explore.js';
import operate from './operate.js';
import plan from './plan.js';

export default { analyse, common, explore, operate, plan } satisfies Texts;
