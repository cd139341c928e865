import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { HttpTarget } from '../../src/bench/http-target.js';
import { benchCommand } from '../../src/cli/bench/bench-command.js';
import { sharedGraph } from '../support/built-graph.js';
import { trestle } from '../support/command.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';

async function run(...args: string[]): Promise<void> {
  const command = benchCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  await command.parseAsync(['--no-http', ...args], { from: 'user' });
}

const WRONG: Array<[args: string[], message: RegExp]> = [
  [['--kinds', 'plan,teleport'], /There is no kind teleport/],
  [['--kinds', ','], /At least one kind is needed/],
  [['--workers', '1,0'], /from 1 to 1000/],
  [['--count', 'many'], /whole number/],
  [['--set', 'novalue'], /expected name=value/],
  [['--graphs', '/nonexistent'], /no stops found for router default/],
];

for (const [args, message] of WRONG) {
  test(`${args.join(' ')} is refused`, async (t) => {
    await t.throwsAsync(run(...args), { message });
  });
}

test('without a date the requests are for today where the router is', async (t) => {
  // Their dates differ at any moment, so not both are that of UTC.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const agency = `agency_id,agency_name,agency_url,agency_timezone\nAG,A,http://a.example,${timeZone}`;
    const feed = await buildSmallFeed({ 'agency.txt': agency });
    t.teardown(() => feed.remove());
    const [directory, results] = [path.dirname(feed.file), path.join(path.dirname(feed.file), 'results.json')];
    const place = ['--graphs', path.dirname(directory), '--router', path.basename(directory)];
    const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone }).format();
    const before = today();
    await run(...place, '--kinds', 'plan', '--count', '1', '--warmUp', '0', '--json', results).catch((error) => error);
    const { date } = JSON.parse(await readFile(results, 'utf8'));
    t.true(date === before || date === today(), `${date} in ${timeZone}`);
    const app = await startApp(t, [{ id: 'default', graph: sharedGraph(feed.graph) }]);
    const served = await new HttpTarget('http', app.base).today('default');
    t.true(served === before || served === today(), `${served} in ${timeZone}`);
  }
});

test('a day without vehicles and kinds that only a server answers are pointed out', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const directory = path.dirname(feed.file);
  const place = ['--graphs', path.dirname(directory), '--router', path.basename(directory)];
  const bench = async (date: string) => {
    const { err } = await trestle([
      'bench',
      '--no-http',
      ...place,
      '--count',
      '1',
      '--kinds',
      'plan,isochrones',
      '--date',
      date,
    ]);
    return err.split('\n').filter((line) => line.startsWith('trestle: '));
  };
  const unmeasured = 'trestle: isochrones is not measured: only a server answers such requests';
  const outside = 'trestle: 2001-01-01 is outside the timetables: no vehicle runs; see --date';
  t.deepEqual(await bench('2001-01-01'), [outside, unmeasured]);
  const starts = new Date(((feed.graph.info().transitServiceStarts ?? 0) + 43_200) * 1000).toISOString().slice(0, 10);
  t.deepEqual(await bench(starts), [unmeasured]);
});
