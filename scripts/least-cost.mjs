// Compares the least cost of plans with a plain search, for thousands of random requests per city of ../shared/data:
//
//     node scripts/least-cost.mjs [REQUESTS] [SEED] [CITY ...]
//
// 5000 requests per city unless told otherwise; another seed draws other requests. CITY is the name of one of the tests in
// crates/planner/tests/least_cost/mod.rs, e.g. porto_metro_frequencies. A request whose costs differ is printed with
// everything that is needed to repeat it. Three cities of the size of Porto take about half an hour on one processor.
import { spawnSync } from 'node:child_process';

const [requests = '5000', seed = '15', ...cities] = process.argv.slice(2);
const filters = cities.length === 0 ? ['least_cost::'] : cities.map((city) => `least_cost::${city}`);
const args = ['test', '--locked', '--release', '-p', 'trestle-planner', '--test', 'all', '--no-fail-fast', '--'];
const { status } = spawnSync('cargo', [...args, ...filters, '--nocapture', '--test-threads', '1'], {
  stdio: 'inherit',
  env: { ...process.env, TRESTLE_REQUESTS: requests, TRESTLE_SEED: seed },
});
process.exitCode = status ?? 1;
