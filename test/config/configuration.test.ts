import test from 'ava';
import { BUILD_KEYS, parseBuildConfig } from '../../src/config/build-config.js';
import { ConfigError, formatWarning, refuseWarnings } from '../../src/config/diagnostic.js';
import { parseRouterConfig } from '../../src/config/router-config.js';
import { UNCHANGED_KEYS } from '../../src/registry/build-options.js';
import { suggest } from '../../src/suggestion.js';
import { says } from './says.js';

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
  t.is(parseBuildConfig('{}', 'b').config.maxInterlineDistance, 200);
  t.is(parseBuildConfig('{ maxInterlineDistance: 500 }', 'b').config.maxInterlineDistance, 500);
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
    says(t, read, new RegExp(`^r:1:\\d+: routingDefaults.${member}: expected a (whole )?number (of at least|from)`));
  }
  says(t, () => parseRouterConfig('{ boardTimes: { BUS: 1e7 } }', 'r'), /boardTimes.BUS: expected a whole number/);
  for (const member of [
    'elevationUnitMultiplier: 0',
    'islandWithoutStopsMaxSize: 4294967296',
    'subwayAccessTime: 1441',
  ]) {
    says(
      t,
      () => parseBuildConfig(`{ ${member} }`, 'b'),
      /^b:1:\d+: \w+: expected a (whole )?number (of at least|from)/,
    );
  }
});

test('lists that no request could have are wrong values', (t) => {
  const read = (defaults: string) => parseRouterConfig(`{\n  routingDefaults: { ${defaults} }\n}`, 'r');
  for (const modes of ['[]', '""', '["WALK", ""]']) {
    says(t, () => read(`modes: ${modes}`), /^r:2:\d+: routingDefaults\.modes(\[1\])?: expected modes such as /);
  }
  says(t, () => read('modes: []'), /, found an empty list$/);
  t.is(read('modes: "TRAM, WALK,"').config.routingDefaults.modes, 'TRAM, WALK,');
  says(t, () => read('bannedStops: {}'), /bannedStops: expected stops in the form feed:stop, found an object$/);
  const trips = (count: number) => Array.from({ length: count }, () => '"1:t,,"').join();
  says(
    t,
    () => read(`bannedTrips: [${trips(10_001)}]`),
    /^r:2:\d+: routingDefaults\.bannedTrips: expected at most 10000/,
  );
  t.notThrows(() => read(`bannedTrips: [${trips(10_000)}], whiteListedRoutes: [], bannedAgencies: ''`));
});

test('times in which nothing is found are wrong values', (t) => {
  const refused = /expected a number of at least 0\.001, found 0(\.0001)?$/;
  says(t, () => parseRouterConfig('{ timeout: 0 }', 'r'), refused);
  says(
    t,
    () => parseRouterConfig('{ timeouts: [0, 5] }', 'r'),
    'r:1:3: timeouts: expected a first limit of at least 0.001 s, found 0',
  );
  says(t, () => parseRouterConfig('{ routingDefaults: { maxHours: 0.0001 } }', 'r'), refused);
  t.deepEqual(parseRouterConfig('{ timeouts: [0.001, 0] }', 'r').config.timeouts, [0.001, 0]);
});

test('times by mode are those of one mode', (t) => {
  const { config, warnings } = parseRouterConfig('{ boardTimes: { TRANSIT: 60, BUS: 30 } }', 'r');
  t.deepEqual(warnings.map(formatWarning), ['r:1:17: boardTimes.TRANSIT: unknown key, ignored']);
  t.deepEqual({ ...config.boardTimes }, { BUS: 30 });
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
    'r.json:3:16: routingDefaults.walkSpeed: expected a number from 0.001 to 1000, found "fast"',
  );
  says(t, read('{ timeouts: 5 }'), 'r.json:1:13: timeouts: expected a list, found 5');
  says(
    t,
    read('{ routingDefaults: { optimize: "QUIK" } }'),
    /optimize: expected one of QUICK, .*, found "QUIK"; did you mean "QUICK"\?$/,
  );
  says(t, read('[]'), 'r.json:1:1: expected an object { … }, found an empty list');
  says(t, read('{ routingDefaults: { walkSpeed: NaN } }'), /walkSpeed: expected a number .*, found NaN$/);
  says(t, read('{ routingDefaults: { walkSpeed: -Infinity } }'), /walkSpeed: expected a number .*, found -Infinity$/);
  says(t, read('{ routingDefaults: { walkSpeed: " " } }'), /walkSpeed: expected a number .*, found " "$/);
  says(t, read('{ routingDefaults: { arriveBy: "yes" } }'), /arriveBy: expected true or false, found "yes"$/);
  says(t, read('{ routingDefaults: { optimize: [] } }'), /optimize: expected a text in quotes, found an empty list$/);
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
  const used = Object.keys(BUILD_KEYS).filter((key) => BUILD_KEYS[key]?.field.kind !== 'unused');
  t.deepEqual([...applied].sort(), used.sort());
});

test('an unused key of router-config.json is a warning', (t) => {
  const { warnings } = parseRouterConfig('{ timeout: 7,\n  useFlexService: true }', 'r.json');
  t.deepEqual(warnings.map(formatWarning), ['r.json:2:3: useFlexService: has no effect on this server, ignored']);
});

test('an unused key of an updater is a warning', (t) => {
  const text = '{ updaters: [{ type: "real-time-alerts", url: "https://a.example/",\n  logFrequency: 10 }] }';
  const { config, warnings } = parseRouterConfig(text, 'r.json');
  t.deepEqual(warnings.map(formatWarning), [
    'r.json:2:3: updaters[0].logFrequency: has no effect on this server, ignored',
  ]);
  t.deepEqual(config.updaters, [{ type: 'real-time-alerts', url: 'https://a.example/' }]);
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

test('an updater that would not wait at all, because its pause is too long for a timer, is left out', (t) => {
  const { config, warnings } = parseRouterConfig(
    `{ updaters: [{ type: 'example-updater', frequencySec: 1000001 }, { type: 'example-updater', frequencySec: -1 }] }`,
    'r',
  );
  t.is(config.updaters.length, 1);
  t.deepEqual(warnings.map(formatWarning), [
    'r:1:55: updaters[0].frequencySec: expected a whole number of at most 1000000, found 1000001, so updaters[0] is left out',
  ]);
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
