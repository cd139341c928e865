/**
 * Every process of Node that tests start begins with this (`NODE_OPTIONS` in `ava.config.js`). The option itself is not
 * allowed there.
 */

require('node:v8').setFlagsFromString('--interrupt-budget=1000000');
