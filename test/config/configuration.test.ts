import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { BUILD_KEYS, KEYS_WITHOUT_EFFECT, parseBuildConfig } from '../../src/config/build-config.js';
import { ConfigError, formatWarning, refuseWarnings } from '../../src/config/diagnostic.js';
import { parseRouterConfig } from '../../src/config/router-config.js';
import { resolveServerConfig, type ServerConfigSources } from '../../src/config/server-config.js';
import { UNCHANGED_KEYS } from '../../src/registry/build-options.js';
import { suggest } from '../../src/suggestion.js';

/** What `trestle hash-password` prints. */
const HASH = `scrypt$32768$8$1$${'A'.repeat(24)}$${'A'.repeat(44)}`;

const server = (sources: Partial<ServerConfigSources>) =>
  resolveServerConfig({ flags: {}, environment: {}, basePath: '/srv', ...sources });

function says(
  t: ExecutionContext,
  read: () => unknown,
  message: string | RegExp,
  code: ConfigError['code'] = 'CONFIG_INVALID',
) {
  const error = t.throws(read, { instanceOf: ConfigError, message });
  t.is(error?.code, code);
}

test('comments, unquoted keys and trailing commas are understood', (t) => {
  const text = `// our town
    { timeouts: [10, 5,], /* seconds */
      routingDefaults: { walkSpeed: 1.5, "optimize": 'SAFE', },
    }`;
  const { config, warnings } = parseRouterConfig(text, 'router-config.json');
  t.deepEqual(config.timeouts, [10, 5]);
  t.is(config.routingDefaults.walkSpeed, 1.5);
  t.is(config.routingDefaults.optimize, 'SAFE');
  t.deepEqual(warnings, []);
});

test('an empty file and a missing member mean the defaults', (t) => {
  const { config } = parseRouterConfig('', 'router-config.json');
  t.deepEqual(config.timeouts, [5, 4, 2]);
  t.deepEqual(config.updaters, []);
  t.is(parseBuildConfig('{}', 'b').config.maxTransferDistance, 2000);
  t.is(parseBuildConfig('{ maxTransferDistance: 500 }', 'b').config.maxTransferDistance, 500);
});

test('timeout is timeouts with one element', (t) => {
  t.deepEqual(parseRouterConfig('{ timeout: 7 }', 'r').config.timeouts, [7]);
});

test('a syntax error says where and what', (t) => {
  const read = () => parseRouterConfig('{\n  timeouts: [5\n  updaters: []\n}', 'a/router-config.json');
  says(t, read, /^a\/router-config\.json:3:\d+: not valid JSON: /, 'CONFIG_SYNTAX');
  says(
    t,
    () => parseRouterConfig('{ a: "unfinished \\', 'r.json'),
    'r.json:1:6: not valid JSON: the text has no closing quote',
    'CONFIG_SYNTAX',
  );
  for (const [text, complaint] of [
    ['{\n  // it\'s\n  url: "http://a,\n  type: "b"\n}', '3:8: not valid JSON: the text has no closing quote'],
    ['{ "timeout": 1', '1:15: not valid JSON: unexpected end of the file'],
    // It took minutes to look for the end of each comment up to the end of the file.
    [`{ timeout: 1 /* it's ${'/* '.repeat(300_000)}`, '1:900022: not valid JSON: unexpected end of the file'],
    ['{\n  timeout: 1,\n', '2:13: not valid JSON: unexpected ",", or the end of the file after it'],
    ['{ timeout: 1 }}', '1:15: not valid JSON: unexpected "}"'],
    ['{ timeout: 1,, }', '1:14: not valid JSON: unexpected ","'],
    ['{ timeout: yes }', '1:12: not valid JSON: unexpected "y"'],
  ]) {
    says(t, () => parseRouterConfig(text ?? '', 'r.json'), `r.json:${complaint}`, 'CONFIG_SYNTAX');
  }
});

test('numbers that no search or build can use are wrong values', (t) => {
  for (const [member, value] of [
    ['walkSpeed', '0'],
    ['bikeSpeed', '1001'],
    ['walkReluctance', '1e999'],
    ['bikeParkCost', '1000001'],
    ['boardSlack', '4294967296'],
    ['carDropoffTime', '1000001'],
    ['numItineraries', '2147483648'],
    ['clampInitialWait', '-2147483649'],
  ]) {
    const read = () => parseRouterConfig(`{ routingDefaults: { ${member}: ${value} } }`, 'r');
    says(t, read, new RegExp(`^r:1:\\d+: routingDefaults.${member}: expected a (whole )?number not below`));
  }
  says(t, () => parseRouterConfig('{ boardTimes: { BUS: 1e7 } }', 'r'), /boardTimes.BUS: expected a whole number/);
  for (const member of [
    'elevationUnitMultiplier: 0',
    'islandWithoutStopsMaxSize: 4294967296',
    'subwayAccessTime: 1441',
  ]) {
    says(t, () => parseBuildConfig(`{ ${member} }`, 'b'), /^b:1:\d+: \w+: expected a (whole )?number not below/);
  }
});

test('defaults with which requests fail have warnings', (t) => {
  const warnings = (defaults: string) =>
    parseRouterConfig(`{\n  routingDefaults: { ${defaults} }\n}`, 'r').warnings.map(formatWarning);
  t.deepEqual(warnings('boardSlack: 60, transferSlack: 90, alightSlack: 31'), [
    'r:2:53: routingDefaults.transferSlack: expected transferSlack of at least 91 (boardSlack + alightSlack), found 90, so requests fail unless they give other values',
  ]);
  t.regex(
    warnings('alightSlack: 1').join(),
    /^r:2:35: routingDefaults.alightSlack: expected .* at least 1 .*, found 0, so/,
  );
  t.deepEqual(warnings('boardSlack: 60, transferSlack: 90, alightSlack: 30'), []);
  t.deepEqual(warnings('transferSlack: 30, boardSlack: 60, transferSlack: 60'), [
    'r:2:57: routingDefaults.transferSlack: given twice, the last one counts',
  ]);
  const factors = 'triangleSafetyFactor: 0.3, triangleSlopeFactor: 0.3, triangleTimeFactor';
  t.regex(
    warnings(`optimize: 'TRIANGLE', ${factors}: 0.5`).join(),
    /^r:2:\d+: routingDefaults.triangleSafetyFactor: expected .* with the sum 1, found 1.1, so plans fail/,
  );
  t.regex(warnings("optimize: 'TRIANGLE'").join(), /^r:2:\d+: routingDefaults.optimize: .* the sum 1, found 0, so/);
  t.deepEqual(warnings(`optimize: 'TRIANGLE', ${factors}: 0.4`), []);
  t.deepEqual(warnings(`${factors}: 0.5`), []);
});

test('a wrong value says line, key, expected and found', (t) => {
  const read = (text: string) => () => parseRouterConfig(text, 'r.json');
  says(
    t,
    read('{\n  routingDefaults: {\n    walkSpeed: "fast"\n  }\n}'),
    'r.json:3:16: routingDefaults.walkSpeed: expected a number not below 0.001 and not above 1000, found "fast"',
  );
  says(t, read('{ timeouts: 5 }'), 'r.json:1:13: timeouts: expected a list, found 5');
  says(
    t,
    read('{ routingDefaults: { optimize: "QUIK" } }'),
    /optimize: expected one of QUICK, .*; did you mean "QUICK"\?, found "QUIK"$/,
  );
  says(t, read('[]'), 'r.json:1:1: expected an object { … }, found a list');
  says(t, read('{ routingDefaults: { walkSpeed: NaN } }'), /walkSpeed: expected a number .*, found NaN$/);
  says(t, read('{ routingDefaults: { walkSpeed: -Infinity } }'), /walkSpeed: expected a number .*, found -Infinity$/);
  says(t, read('{ routingDefaults: { walkSpeed: " " } }'), /walkSpeed: expected a number .*, found " "$/);
  says(t, read('{ routingDefaults: { arriveBy: "yes" } }'), /arriveBy: expected true or false, found "yes"$/);
  says(t, read('{ routingDefaults: { optimize: [] } }'), /optimize: expected a text in quotes, found a list$/);
});

test('quoted numbers and booleans count, and numbers may be as small and as large as their limits', (t) => {
  const defaults = (text: string) => parseRouterConfig(`{ routingDefaults: { ${text} } }`, 'r').config.routingDefaults;
  t.like(defaults('walkSpeed: "1.5", arriveBy: "true", wheelchair: "false"'), {
    walkSpeed: 1.5,
    arriveBy: true,
    wheelchair: false,
  });
  t.like(defaults('walkSpeed: 0.001, bikeSpeed: 1000'), { walkSpeed: 0.001, bikeSpeed: 1000 });
});

test('an unused key of build-config.json is a warning', (t) => {
  const { warnings } = parseBuildConfig('{ staticBikeRental: true,\n  osmNaming: "portland" }', 'b.json');
  t.deepEqual(warnings.map(formatWarning), ['b.json:2:3: osmNaming: has no effect on this server, ignored']);
  const applied = new Set<string>(UNCHANGED_KEYS);
  // Read directly from the configuration: by the build command, by the index from the finished graph, and in another
  // unit.
  for (const key of ['subwayAccessTime', 'fares', 'embedRouterConfig', 'stopClusterMode', 'htmlAnnotations'])
    applied.add(key);
  const unread = Object.keys(BUILD_KEYS).filter((key) => !applied.has(key));
  t.deepEqual(unread.sort(), [...KEYS_WITHOUT_EFFECT].sort());
});

test('an unused key of router-config.json is a warning', (t) => {
  const { warnings } = parseRouterConfig('{ timeout: 7,\n  useFlexService: true }', 'r.json');
  t.deepEqual(warnings.map(formatWarning), ['r.json:2:3: useFlexService: has no effect on this server, ignored']);
});

test('a default of other servers that nothing uses is a warning', (t) => {
  const { config, warnings } = parseRouterConfig(
    '{ routingDefaults: { walkSpeed: 1.2,\n  softWalkLimiting: false } }',
    'r.json',
  );
  t.deepEqual(warnings.map(formatWarning), [
    'r.json:2:3: routingDefaults.softWalkLimiting: has no effect on this server, ignored',
  ]);
  t.is(config.routingDefaults.walkSpeed, 1.2);
});

test('an unknown key is a warning with the place and the likely name', (t) => {
  const { warnings } = parseRouterConfig('{\n  routingDefauls: {},\n  zzz: 1 }', 'r.json');
  t.deepEqual(warnings.map(formatWarning), [
    'r.json:2:3: routingDefauls: unknown key, ignored; did you mean "routingDefaults"?',
    'r.json:3:3: zzz: unknown key, ignored',
  ]);
});

test('a warning says what is wrong and what is done about it, an error only what is wrong', (t) => {
  const { warnings } = parseRouterConfig('{ requestLogFile: null, updaters: [], updaters: [{ type: 1 }] }', 'r.json');
  const [first, ...others] = warnings.map(formatWarning);
  t.is(first, 'r.json:1:3: requestLogFile: is null, the default is used');
  t.is(others[0], 'r.json:1:39: updaters: given twice, the last one counts');
  t.regex(others[1] ?? '', /^r\.json:1:[0-9]+: updaters\[0\]\.type: expected one of .*, so updaters\[0\] is left out$/);
  says(t, () => refuseWarnings(warnings), 'r.json:1:3: requestLogFile: is null');
  t.notThrows(() => refuseWarnings([]));
});

test('keys that every JavaScript object has are unknown like others', (t) => {
  const { config, warnings } = parseRouterConfig('{ "__proto__": { "x": 1 }, "constructor": 2 }', 'r.json');
  t.is(warnings.length, 2);
  t.is((config as unknown as Record<string, unknown>).x, undefined);
});

test('a bad updater is left out, the others stay', (t) => {
  const { config, warnings } = parseRouterConfig(
    '{ updaters: [ { type: "bike-rentl" }, { type: "bike-rental", sourceType: "gbfs", frequencySec: 30, url: "http://x" } ] }',
    'r.json',
  );
  t.deepEqual(
    config.updaters.map((updater) => updater.type),
    ['bike-rental'],
  );
  t.regex(warnings.map(formatWarning).join(), /updaters\[0\]\.type: expected one of .* did you mean "bike-rental"/);
});

test('updaters may be an object', (t) => {
  const { config } = parseRouterConfig(
    '{ updaters: { bikes: { type: "vehicle-positions", url: "http://x" } } }',
    'r.json',
  );
  t.is(config.updaters[0]?.type, 'vehicle-positions');
});

test('fares are a name, an object with a type, or a combination', (t) => {
  const fares = (text: string) => parseBuildConfig(`{ fares: ${text} }`, 'b').fares;
  t.is(parseBuildConfig('{}', 'b').fares, undefined);
  t.deepEqual(fares('"off"'), []);
  t.deepEqual(fares('{}'), [{ service: 'default' }]);
  t.deepEqual(fares('{ type: "new-york" }'), [{ service: 'new-york' }]);
  t.deepEqual(fares('{ type: "seattle", useMaxFareStrategy: ["1:KCM"] }'), [
    { service: 'seattle', maxFareAgencies: ['1:KCM'] },
  ]);
  t.deepEqual(fares('{ type: "seattle" }'), [{ service: 'seattle', maxFareAgencies: [] }]);
  const bikes = '{ type: "bike-rental-time-based", currency: "EUR", prices: { "1:30": 2.5, "0:30": 1 } }';
  const rental = {
    service: 'bike-rental-time-based',
    currency: 'EUR',
    prices: [
      { belowSeconds: 1800, amount: 1 },
      { belowSeconds: 5400, amount: 2.5 },
    ],
  };
  t.deepEqual(fares(bikes), [rental] as never);
  const combined = [{ service: 'default' }, rental];
  t.deepEqual(fares(`{ combinationStrategy: "additive", fares: ["default", ${bikes}] }`), combined as never);
  t.deepEqual(fares(`{ combinationStrategy: "additive", fare1: "default", fareBikes: ${bikes} }`), combined as never);
  const unknown =
    '{ fares: { combinationStrategy: "additive", type: "x", fares: ["default"], fare2: "off", fees: [] } }';
  t.deepEqual(parseBuildConfig(unknown, 'b').warnings.map(formatWarning), ['b:1:90: fares.fees: unknown key, ignored']);
});

for (const [text, message] of [
  ['{ fares: "seatle" }', /^b:1:10: fares: expected one of .*found seatle; did you mean "seattle"\?/],
  ['{ fares: 7 }', /fares: expected one of .*found 7/],
  ['{ fares: { type: ["seattle"] } }', /fares\.type: expected one of .*found a list/],
  ['{ fares: { combinationStrategy: "cheapest", fares: [] } }', /combinationStrategy: expected one of additive/],
  ['{ fares: { combinationStrategy: "additive" } }', /fares: expected fares to combine/],
  ['{ fares: { combinationStrategy: "additive", fares: "default" } }', /fares\.fares: expected a list/],
  ['{ fares: { type: "seattle", useMaxFareStrategy: {} } }', /useMaxFareStrategy: expected a list/],
  ['{ fares: "bike-rental-time-based" }', /fares: expected a "currency"/],
  ['{ fares: { type: "bike-rental-time-based", currency: "euro" } }', /fares\.currency: expected a "currency"/],
  ['{ fares: { type: "bike-rental-time-based", currency: "EUR" } }', /fares: expected "prices"/],
  ['{ fares: { type: "bike-rental-time-based", currency: "EUR", prices: { x: 1 } } }', /prices: expected times .*"x"/],
  [
    '{ fares: { type: "bike-rental-time-based", currency: "EUR", prices: { "9": "a" } } }',
    /prices\.9: expected a number/,
  ],
] as const) {
  test(`bad fares name the culprit: ${text}`, (t) => {
    t.throws(() => parseBuildConfig(text, 'b'), { message });
  });
}

test('flags win over the environment, the environment over the file, the file over defaults', (t) => {
  const file = { text: '{ port: 1, securePort: 2, mount: "x/" }', name: 'server-config.json' };
  const { config } = server({ file, environment: { TRESTLE_PORT: '3', TRESTLE_MOUNT: '/' }, flags: { port: 4 } });
  t.is(config.port, 4);
  t.is(config.securePort, 2);
  t.is(config.mount, '');
  t.is(server({ environment: { TRESTLE_PORT: '3' }, file }).config.port, 3);
  t.is(server({ file }).config.mount, '/x');
  t.is(server({}).config.graphs, '/srv/graphs');
  t.is(server({ file, flags: { port: undefined } }).config.port, 1);
});

test('a server listens where the system can', (t) => {
  for (const bindAddress of ['', '::', '::ffff:10.0.0.1', 'fe80::1%eth0', 'fe80::1%br-lan.100', 'my_host.example']) {
    t.is(server({ environment: { TRESTLE_BIND_ADDRESS: bindAddress } }).config.bindAddress, bindAddress);
  }
  for (const bindAddress of ['[::1]', '::1:8080:', 'fe80::1%', 'localhost:80', '/run/trestle.sock']) {
    t.throws(
      () => server({ flags: { bindAddress } }),
      { message: /an address or a name of this machine/ },
      bindAddress,
    );
  }
});

test('published graphs are kept in the cache, where nothing is built', (t) => {
  const flags = { cache: 'kept', buildOnDemand: true };
  t.like(server({ flags }).config, { graphs: '/srv/graphs', cache: '/srv/kept', buildOnDemand: true });
  const published = server({ flags: { ...flags, graphs: 's3://b' } }).config;
  t.like(published, { graphs: '/srv/kept', cache: '/srv/kept', buildOnDemand: false });
});

test('a bad address of an object store is reported for the setting that has it, where it was given', (t) => {
  const address = 's3:///prefix';
  const expected = 'expected s3://bucket/prefix, found "s3:///prefix"';
  const file = { text: `{\n  jobs: "${address}" }`, name: 'server-config.json' };
  t.throws(() => server({ file }), { message: `server-config.json:2:9: jobs: ${expected}` });
  t.throws(() => server({ environment: { TRESTLE_GRAPHS: address } }), {
    message: `environment:1:1: TRESTLE_GRAPHS: ${expected}`,
  });
  t.throws(() => server({ flags: { jobs: address } }), { message: `command line:1:1: --jobs: ${expected}` });
  t.deepEqual(server({ flags: { graphs: 's3://b/p/' } }).config.publishedGraphs, { bucket: 'b', prefix: 'p' });
});

test('the environment holds lists, booleans and accounts', (t) => {
  const environment = {
    TRESTLE_ROUTERS: 'a, b,',
    TRESTLE_MAX_BODY_BYTES: '9',
    TRESTLE_INSECURE: 'true',
    TRESTLE_USERS: `[{ name: "ada", password: "${HASH}", roles: ["ROUTERS"] }]`,
    TRESTLE_POTR: '1',
    PORT: '9',
  };
  const { config, warnings } = server({ environment });
  t.deepEqual(config.routers, ['a', 'b']);
  t.deepEqual(server({ environment: { TRESTLE_ROUTERS: ' ["a,b"]' } }).config.routers, ['a,b']);
  t.is(config.maxBodyBytes, 9);
  t.true(config.insecure);
  t.is(config.users[0]?.name, 'ada');
  t.deepEqual(warnings.map(formatWarning), [
    'environment:1:1: TRESTLE_POTR: unknown variable, ignored; did you mean TRESTLE_PORT?',
  ]);
  t.throws(() => server({ environment: { TRESTLE_PORT: 'http' } }), {
    message: /TRESTLE_PORT: expected a whole number/,
  });
  const unreadable = () => server({ environment: { TRESTLE_USERS: '[' } });
  says(t, unreadable, /^environment:1:1: TRESTLE_USERS: not valid JSON: unexpected /, 'CONFIG_SYNTAX');
});

test('suggestions are close, or there is none', (t) => {
  t.is(suggest('walkspeed', ['bikeSpeed', 'walkSpeed']), 'walkSpeed');
  t.is(suggest('zz', ['walkSpeed']), undefined);
});

test('any file is read, or refused with a place', (t) => {
  const good =
    '{ timeouts: [5, 4.5], /* c */ routingDefaults: { "walkSpeed": 1.3, modes: \'WALK\' }, updaters: [{ type: "bike-rental" }] }';
  const signs = '{}[],:"\'/*\\\n\u0000é0-+.eEtfn';
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let refused = 0;
  for (let round = 0; round < 3000; round += 1) {
    let text = good;
    for (let i = 0; i <= random(4); i += 1) {
      const at = random(text.length);
      text = text.slice(0, at) + signs.charAt(random(signs.length)) + text.slice(at + random(3));
    }
    try {
      parseRouterConfig(text, 'r.json');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      t.regex(error.message, /^r\.json:\d+:\d+: /);
      refused += 1;
    }
  }
  t.true(refused > 500, `${refused} refused`);
});

test('accounts, proxies, origins and geocoders that no server can use are errors with their place', (t) => {
  const needsHash = 'users[0].password: expected a hash printed by "trestle hash-password"';
  for (const [text, complaint] of [
    ['{ users: [\n  { name: "ada" }] }', '2:3: users[0]: password is missing'],
    [`{ users: [\n  { name: "ada", password: "${HASH}" }] }`, '2:3: users[0]: roles is missing'],
    [`{ users: [{ password: "${HASH}", roles: [] }] }`, '1:11: users[0]: name is missing'],
    // A message that repeated the text would show a password.
    ['{ users: [\n  { password: "horse" }] }', `2:15: ${needsHash}`],
    ['{ users: "ada:horse" }', '1:10: users: expected a list'],
    ['{ tokens: ["t0ken"] }', '1:12: tokens[0]: expected an object { … }'],
    // scrypt takes powers of two only, and not more memory than is allowed.
    [`{ users: [{ password: "${HASH.replace('32768', '3')}" }] }`, `1:23: ${needsHash}`],
    [`{ users: [{ password: "${HASH.replace('32768', '4194304')}" }] }`, `1:23: ${needsHash}`],
    // Of so short a text no byte is left, so every password would have this hash.
    [`{ users: [{ password: "${HASH.slice(0, -43)}" }] }`, `1:23: ${needsHash}`],
    ['{ tokens: [{ sha256: "t0ken" }] }', '1:22: tokens[0].sha256: expected 64 hexadecimal digits'],
    ['{ tokens: [{ name: "ci", roles: [] }] }', '1:12: tokens[0]: sha256 is missing'],
    ['{ geocoders: [{ type: "photon" }] }', '1:15: geocoders[0]: url is missing'],
    ...['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', 'proxy.example'].map((proxy) => [
      `{ trustedProxies: ["::1",\n "${proxy}"] }`,
      `2:2: trustedProxies[1]: expected an address or a network such as 10.0.0.0/8, found "${proxy}"`,
    ]),
    // Browsers send origins in one form, and compare texts; a part of a name never matched.
    ...[
      'maps.example',
      'https://maps.example/',
      'https://*.maps.example',
      'https://Maps.example',
      'https://maps.example:443',
      'https://ada@maps.example',
    ].map((origin) => [
      `{ corsOrigins: ["${origin}"] }`,
      `1:17: corsOrigins[0]: expected an origin as browsers send it, such as https://maps.example, or *, found "${origin}"`,
    ]),
  ]) {
    says(t, () => server({ file: { text: text ?? '', name: 's.json' } }), `s.json:${complaint}`);
  }
  const wrong = 'expected an address or a network such as 10.0.0.0/8, found "proxy"';
  says(t, () => server({ flags: { trustedProxies: ['proxy'] } }), `command line:1:1: --trustedProxies: ${wrong}`);
  says(
    t,
    () => server({ environment: { TRESTLE_TRUSTED_PROXIES: '::1, proxy' } }),
    `environment:1:1: TRESTLE_TRUSTED_PROXIES: ${wrong}`,
  );
  const trustedProxies = ['192.0.2.1', '10.0.0.0/8', '::1', '2001:db8::/32'];
  const corsOrigins = [
    '*',
    'null',
    'file://',
    'http://localhost:8080',
    'https://maps.example',
    'http://[::1]:8080',
    'capacitor://localhost',
    'chrome-extension://abcdefghijklmnop',
  ];
  const users = [{ name: 'ada', password: HASH, roles: ['ROLE_ROUTERS'] }];
  const { config } = server({ file: { text: JSON.stringify({ trustedProxies, corsOrigins, users }), name: 's.json' } });
  t.deepEqual([config.trustedProxies, config.corsOrigins], [trustedProxies, corsOrigins]);
  t.is(config.users[0]?.password, HASH);
});

test('an updater that lacks what its type needs is left out with a warning that says where', (t) => {
  const updaters = `[
    { type: 'stop-time-updater', sourceType: 'gtfs-http', file: 'a.pb' },
    { type: 'stop-time-updater', sourceType: 'gtfs-file', url: 'http://a' },
    { type: 'real-time-alerts', url: '' },
    { type: 'bike-rental', url: 'http://a', sourceType: 'gbf' },
    { type: 'bike-park', url: 'http://a' },
    { type: 'winkki-polling-updater', url: 'http://a' },
    { url: 'http://a' },
    { type: 'opentraffic-updater' },
    { type: 'stop-time-updater', sourceType: 'gtfs-file', file: 'a.pb' },
    { type: 'example-updater' },
  ]`;
  const { config, warnings } = parseRouterConfig(`{ updaters: ${updaters} }`, 'r.json');
  t.deepEqual(
    config.updaters.map(({ type }) => type),
    ['stop-time-updater', 'example-updater'],
  );
  const lines = warnings.map(formatWarning);
  for (const [i, line] of [
    'r.json:2:5: updaters[0]: url is missing, so updaters[0] is left out',
    'r.json:3:5: updaters[1]: file is missing, so updaters[1] is left out',
    'r.json:4:5: updaters[2]: url is missing, so updaters[2] is left out',
    /^r\.json:5:45: updaters\[3\]\.sourceType: expected one of gbfs, .*, found "gbf"; did you mean "gbfs"\?, so/,
    'r.json:6:5: updaters[4]: sourceType is missing, so updaters[4] is left out',
    'r.json:7:5: updaters[5]: featureType is missing, so updaters[5] is left out',
    'r.json:8:5: updaters[6]: type is missing, so updaters[6] is left out',
    'r.json:9:7: updaters[7].type: opentraffic-updater has no effect on this server, so updaters[7] is left out',
  ].entries()) {
    if (typeof line === 'string') t.is(lines[i], line);
    else t.regex(lines[i] ?? '', line);
  }
});

test('a role that no resource asks for gives a warning', (t) => {
  const tokens = `[{ name: 'a', sha256: '${'0'.repeat(64)}', roles: ['ROUTERS', 'ROLE_ROUTER'] }]`;
  const { config, warnings } = server({ file: { text: `{\n tokens: ${tokens} }`, name: 's.json' } });
  t.deepEqual(config.tokens[0]?.roles, ['ROUTERS', 'ROLE_ROUTER']);
  t.regex(
    warnings.map(formatWarning).join(),
    /^s\.json:2:\d+: tokens\[0\]\.roles\[1\]: "ROLE_ROUTER" has no effect on this server, ignored; did you mean "ROLE_ROUTERS"\?$/,
  );
});

test('the place of a setting is that of where it was given last', (t) => {
  const file = { text: "{ mount: '/a',\n municipalities: {\n adminLevel: 8 } }", name: 's.json' };
  const { placeOf } = server({ file, flags: { port: 1 }, environment: { TRESTLE_MOUNT: '/b' } });
  const shown = (...of: Parameters<typeof placeOf>) => Object.values(placeOf(...of)).join(' ');
  t.is(shown('port'), 'command line 1 1 --port');
  t.is(shown('mount'), 'environment 1 1 TRESTLE_MOUNT');
  t.is(shown('municipalities', 'adminLevel'), 's.json 3 2 municipalities.adminLevel');
  t.is(shown('municipalities', 'file'), 's.json 2 2 municipalities');
  t.is(shown('graphs'), 'defaults 1 1 graphs');
});

test('relative files and directories of the server start at the base path', (t) => {
  const names = [
    'graphs',
    'cache',
    'pointSets',
    'jobs',
    'alertFile',
    'clientFiles',
    'tlsCertificate',
    'tlsKey',
  ] as const;
  for (const [place, expected] of [
    ['place', path.resolve('/srv/place')],
    [path.resolve('/etc/place'), path.resolve('/etc/place')],
  ] as const) {
    const { config } = server({ flags: Object.fromEntries(names.map((name) => [name, place])) });
    for (const name of names) t.is(config[name], expected, name);
  }
  t.is(server({}).config.clientFiles, undefined);
});
