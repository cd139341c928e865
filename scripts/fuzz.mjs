// Tries every reader of outside input with damaged and generated inputs, and the transit searches with random timetables,
// each for this many minutes: `node scripts/fuzz.mjs 10`.
// `npm test` runs the same tests with a few cases; here they get far more, with a new seed in each round.
import { spawnSync } from 'node:child_process';

const minutes = Number(process.argv[2] ?? 1);
if (!(minutes > 0)) throw new Error('usage: node scripts/fuzz.mjs MINUTES');

/** Rust readers and searches: package, where its tests are, and what their names contain. */
const RUST = {
  'GTFS rows': ['trestle-transit', 'tests', 'hostile_feeds::random_rows'],
  'GTFS files': ['trestle-transit', 'tests', 'hostile_feeds::random_bytes'],
  'GTFS archives': ['trestle-transit', 'tests', 'hostile_feeds::damaged_archives'],
  'OSM PBF and XML': ['trestle-street', 'src', 'osm::'],
  'elevation GeoTIFF': ['trestle-street', 'tests', 'elevation::damaged_rasters'],
  'graph file': ['trestle-engine', 'src', 'any_damage'],
  'live feeds': ['trestle-planner', 'tests', 'hostile_live_feeds::'],
  'maps and plans on them': ['trestle-planner', 'tests', 'hostile_maps::'],
  'transit searches': ['trestle-transit', 'tests', 'raptor::random::'],
  'rules of transfers': ['trestle-transit', 'tests', 'raptor::random_rules::'],
};

function run(command, args, env) {
  const { status, stdout, stderr } = spawnSync(command, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status === 0) return stdout;
  console.error(`${stdout}\n${stderr}`);
  throw new Error(`${command} ${args.join(' ')}: a failure`);
}

for (const [name, [crate, place, filter]] of Object.entries(RUST)) {
  const end = Date.now() + minutes * 60_000;
  const target = place === 'src' ? ['--lib'] : ['--test', 'all'];
  let rounds = 0;
  for (; Date.now() < end; rounds += 1) {
    const output = run('cargo', ['test', '-q', '-p', crate, ...target, filter], { PROPTEST_CASES: '20000' });
    if (!/: ok\. [1-9]\d* passed/.test(output)) throw new Error(`${crate} has no test called ${filter}`);
  }
  console.log(`${name}: ${rounds} rounds of 20,000 cases, no failure`);
}
run('npm', ['exec', '--no', 'ava', '--', '--timeout=24h', 'dist/test/hostile-inputs.test.js'], {
  FUZZ_SECONDS: String(minutes * 60),
});
console.log('configuration, point sets, alerts, rental documents: no failure');
