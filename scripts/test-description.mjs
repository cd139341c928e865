// Tests a server of the sample town against its own description: Schemathesis makes thousands of requests from
// `/otp/openapi.json` and checks every answer. Needs `schemathesis` (PyPI) on the PATH and the compiled checkout:
//
//   node scripts/test-description.mjs [--examples N]
//
// By itself it guesses ids of routers and stops, and gets 404. So it also runs with ids and places of the town, and a
// route without any good answer is a failure unless it is known to need more.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { portWhenReady } from '../dist/src/bench/started-server.js';
import { MAIN } from './started-server.mjs';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];

/** Values of parameters, by their place and name, for the runs with ids that exist. */
const PARAMETERS = {
  'path.routerId': 'default',
  'path.feedId': 'city',
  'path.agencyId': 'SV',
  'path.serviceId': 'city:WEEKDAY',
  'path.layers': 'stops',
  'path.layer': 'traversal',
  'path.number': '0',
  'path.surfaceId': '0',
  'path.otherId': '0',
  'path.pointSetId': 'town',
  'path.scenarioId': 'without-25',
  'path.date': '20261123',
  'path.z': '14',
  'path.x': '8876',
  'path.tile': '5694.png',
  'path.legend': 'legend.png',
  'query.fromPlace': '48.0056,15.0306',
  'query.toPlace': '48.0304,15.0714',
  'query.from': '48.0056,15.0306',
  'query.to': '48.0304,15.0714',
  'query.date': '2026-11-23',
  'query.time': '08:00',
  'query.mode': 'TRANSIT,WALK',
  'query.targets': 'town',
  'query.scenario': 'without-25',
  'query.routerId': 'default',
  'query.query': 'Son',
  'query.location': '48.0056,15.0306',
  'query.address': 'Sonnenau',
};

/** Parameters of single routes. Routes that remove or replace something get an id of their own. */
const OF_ROUTES = {
  'GET /routers/{routerId}/index/graphql': { 'query.query': '{ stops { name } }' },
  'GET /routers/{routerId}/index/graphql/page/{file}': { 'path.file': 'page.js' },
  'GET /routers/{routerId}/inspector/tile/{layer}/{z}/{x}/{file}': { 'path.file': '5694.png' },
  'GET /routers/{routerId}/vectorTiles/{layers}/{z}/{x}/{file}': { 'path.file': '5694.pbf' },
  // Without `detail` the answer is not JSON.
  'GET /routers/{routerId}/rrtr': { 'query.detail': true },
  'GET /routers/{routerId}/timegrid': { 'query.maxTimeSec': 1800 },
  'GET /surfaces/{surfaceId}/raster': { 'query.crs': 'EPSG:4326' },
  'DELETE /routers/{routerId}': { 'path.routerId': 'spare' },
  'PUT /routers/{routerId}': { 'path.routerId': 'spare' },
  'POST /routers/{routerId}': { 'path.routerId': 'spare' },
  'POST /routers/save': { 'query.routerId': 'spare' },
  'DELETE /surfaces/{surfaceId}': { 'path.surfaceId': '2' },
  'DELETE /pointsets/{pointSetId}': { 'path.pointSetId': 'spare' },
  'POST /pointsets/{pointSetId}': { 'path.pointSetId': 'spare' },
  'DELETE /routers/{routerId}/scenarios/{scenarioId}': { 'path.scenarioId': 'spare' },
  'PUT /routers/{routerId}/scenarios/{scenarioId}': { 'path.scenarioId': 'spare' },
};

/** Routes that remove what other routes need: the oldest surfaces, and all routers. They run last, or not at all. */
const TAKING = ['POST /surfaces', 'GET /routers/{routerId}/profile'];
const TAKING_ALL = ['PUT /routers', 'DELETE /routers'];

/** Routes that need more than ids for a good answer, and what. */
const NEEDS_MORE = new Map([
  ['DELETE /pointsets/{pointSetId}', 'a point set that was stored'],
  ['DELETE /routers/{routerId}/jobs/{jobId}', 'a job'],
  ['GET /openapi.json', 'nothing: Schemathesis reads it first'],
  ['GET /routers/{routerId}/index/flexAreas/{areaId}', 'areas of flexible service, which the town does not have'],
  ['GET /routers/{routerId}/jobs/{jobId}', 'a job'],
  ['POST /pointsets/{pointSetId}', 'a point set'],
  ['POST /routers/save', 'a graph'],
  ['POST /routers/{routerId}', 'a graph'],
  ['POST /routers/{routerId}/index/graphql', 'a query'],
  ['POST /routers/{routerId}/jobs', 'a study'],
  ['POST /routers/{routerId}/jobs/{jobId}/resume', 'a job'],
  ['POST /scripting/run', 'a program'],
]);

const { values: options } = parseArgs({ options: { examples: { type: 'string', default: '40' } } });
const directory = mkdtempSync(path.join(tmpdir(), 'trestle-description-'));
const SETTINGS = 'known.toml';
const run = promisify(execFile);
const trestle = (...args) => run(process.execPath, [MAIN, ...args], { cwd: directory });

/** Starts a server of the town. */
async function serve() {
  await trestle('sample', 'graphs/default', '--pointSets', 'pointsets');
  const updaters = [{ type: 'real-time-alerts', url: 'http://127.0.0.1:9/alerts.pb', feedId: 'city' }];
  writeFileSync(path.join(directory, 'graphs/default/router-config.json'), JSON.stringify({ updaters }));
  await trestle('build', 'graphs/default');
  cpSync(path.join(directory, 'graphs/default'), path.join(directory, 'graphs/spare'), { recursive: true });
  const services = ['--analyst', '--jobs', 'jobs', '--insecure', '--enableScriptingWebService'];
  const settings = [...services, '--bindAddress', '127.0.0.1'];
  const server = spawn(process.execPath, [MAIN, 'serve', ...settings, '--port', '0', '--router', 'default'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { server, root: `http://127.0.0.1:${await portWhenReady(server)}/otp` };
}

async function send(method, address, body) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
  return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

/** Stores surfaces, scenarios and more for the requests; resolves with ids that only the server knows. */
async function prepare(root) {
  const router = `${root}/routers/default`;
  for (const minutes of [20, 30, 40]) {
    const search = 'fromPlace=48.0056,15.0306&date=2026-11-23&time=08:00&batch=true';
    await send('POST', `${root}/surfaces?${search}&cutoffMinutes=${minutes}`);
  }
  const scenario = { modifications: [{ type: 'remove-trip', routeId: 'city:B25' }] };
  for (const id of ['without-25', 'spare']) await send('PUT', `${router}/scenarios/${id}`, scenario);
  const first = async (what) => (await send('GET', `${router}/index/${what}`))[0].id;
  const [stop, route] = [await first('stops'), await first('routes')];
  return {
    'path.stopId': stop,
    'path.routeId': route,
    'path.patternId': await first('patterns'),
    'path.tripId': await first(`routes/${route}/trips`),
    'path.clusterId': await first('clusters'),
  };
}

function settings(parameters) {
  const written = (values) =>
    Object.entries(values).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`);
  const forSome = Object.entries(OF_ROUTES).map(([route, values]) => {
    return `[[operations]]\ninclude-name = ${JSON.stringify(route)}\nparameters = { ${written(values).join(', ')} }\n`;
  });
  return `[parameters]\n${written(parameters).join('\n')}\n${forSome.join('')}`;
}

/** One run; resolves with its exit status and the entries of its HTTP archive: all requests and answers. */
async function schemathesis(root, name, configuration, selection) {
  const report = path.join(directory, `${name}.har`);
  const checker = spawn(
    'schemathesis',
    [
      ...[...configuration, 'run', `${root}/openapi.json`, '--url', root],
      ...['--checks', CHECKS.join(','), '--max-examples', options.examples, '--suppress-health-check', 'all'],
      // On a busy machine, long searches take more than the ten seconds that it waits by default.
      ...[
        '--request-timeout',
        '120',
        '--report',
        'har',
        '--report-har-path',
        report,
        '--phases',
        'coverage,fuzzing',
        ...selection,
      ],
    ],
    { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const [status] = await once(checker, 'exit');
  return { status, entries: JSON.parse(readFileSync(report, 'utf8')).log.entries };
}

/** Routes without an answer between 200 and 299. */
async function neverAnswered(root, entries) {
  const { paths } = await send('GET', `${root}/openapi.json`);
  const routes = Object.entries(paths).flatMap(([template, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== 'parameters')
      .map((method) => ({ name: `${method.toUpperCase()} ${template}`, method: method.toUpperCase(), template })),
  );
  // A fixed path is matched before one with a parameter in the same place.
  const parameters = ({ template }) => template.split('{').length;
  routes.sort((a, b) => parameters(a) - parameters(b));
  const pattern = ({ template }) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  const patterns = routes.map((route) => ({ ...route, pattern: pattern(route) }));
  const answered = new Set();
  for (const { request, response } of entries) {
    if (response.status < 200 || response.status > 299) continue;
    const target = new URL(request.url).pathname.slice(new URL(root).pathname.length);
    const route = patterns.find(({ method, pattern }) => method === request.method && pattern.test(target));
    if (route !== undefined) answered.add(route.name);
  }
  return routes
    .map(({ name }) => name)
    .filter((name) => !answered.has(name))
    .sort();
}

const { server, root } = await serve();
try {
  const own = await prepare(root);
  writeFileSync(path.join(directory, SETTINGS), settings({ ...PARAMETERS, ...own }));
  const names = (flag, list) => list.flatMap((name) => [flag, name]);
  const runs = [
    await schemathesis(root, 'known', ['--config-file', SETTINGS], names('--exclude-name', [...TAKING, ...TAKING_ALL])),
    await schemathesis(root, 'taking', ['--config-file', SETTINGS], names('--include-name', TAKING)),
    await schemathesis(root, 'guessed', [], []),
  ];
  const silent = await neverAnswered(
    root,
    runs.flatMap(({ entries }) => entries),
  );
  for (const route of silent) console.log(`no good answer: ${route}; it needs ${NEEDS_MORE.get(route) ?? 'a reason'}`);
  const isGood = runs.every(({ status }) => status === 0) && silent.every((route) => NEEDS_MORE.has(route));
  process.exitCode = isGood ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(directory, { recursive: true });
}
