/** Where the settings of a server come from, and which of them it refuses or ignores. */

import path from 'node:path';
import test from 'ava';
import { formatWarning } from '../../src/config/diagnostic.js';
import { parseRouterConfig } from '../../src/config/router-config.js';
import { resolveServerConfig, type ServerConfigSources } from '../../src/config/server-config.js';
import { says } from './says.js';

/** What `trestle hash-password` prints. */
const HASH = `scrypt$32768$8$1$${'A'.repeat(24)}$${'A'.repeat(44)}`;

const server = (sources: Partial<ServerConfigSources>) =>
  resolveServerConfig({ flags: {}, environment: {}, basePath: '/srv', ...sources });

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
    message: `environment: TRESTLE_GRAPHS: ${expected}`,
  });
  t.throws(() => server({ flags: { jobs: address } }), { message: `command line: --jobs: ${expected}` });
  t.deepEqual(server({ flags: { graphs: 's3://b/p/' } }).config.publishedGraphs, { bucket: 'b', prefix: 'p' });
});

test('settings with which requests fail at once are errors', (t) => {
  const read = (setting: string) => server({ file: { text: `{ ${setting} }`, name: 's' } });
  // A timer that is told to wait for more than 24 days does not wait at all.
  for (const setting of ['maxQueueWaitMs', 'loadWaitMs', 'requestTimeoutMs', 'drainMs', 'maxScriptMs']) {
    says(t, () => read(`${setting}: 1000000001`), /: expected a whole number from 0 to 1000000000, found/);
    t.is(read(`${setting}: 1e9`).config[setting as 'drainMs'], 1e9);
  }
  says(t, () => read('followSeconds: 1000001'), /: expected a whole number from 0 to 1000000, found/);
  says(t, () => read('municipalities: { adminLevel: 256 }'), /adminLevel: expected a whole number from 0 to 255/);
  says(
    t,
    () => read('maxQueryLength: 1'),
    /^s:1:19: maxQueryLength: expected a whole number of at least 256, found 1$/,
  );
});

test('the environment holds lists, booleans and accounts', (t) => {
  const environment = {
    TRESTLE_ROUTERS: 'a, b,',
    TRESTLE_MAX_BODY_BYTES: '9',
    TRESTLE_INSECURE: 'true',
    TRESTLE_USERS: `[{ name: "ada", password: "${HASH}", roles: ["ROUTERS"] }]`,
    TRESTLE_POTR: '1',
    TRESTLE_VERBOSE: 'true',
    PORT: '9',
  };
  const { config, warnings } = server({ environment });
  t.deepEqual(config.routers, ['a', 'b']);
  t.deepEqual(server({ environment: { TRESTLE_ROUTERS: ' ["a", "b"]' } }).config.routers, ['a', 'b']);
  t.is(config.maxBodyBytes, 9);
  t.true(config.insecure);
  t.is(config.users[0]?.name, 'ada');
  t.deepEqual(warnings.map(formatWarning), [
    'environment: TRESTLE_POTR: unknown variable, ignored; did you mean TRESTLE_PORT?',
    'environment: TRESTLE_VERBOSE: unknown variable, ignored',
  ]);
  t.throws(() => server({ environment: { TRESTLE_PORT: 'http' } }), {
    message: /TRESTLE_PORT: expected a whole number/,
  });
  const unreadable = () => server({ environment: { TRESTLE_USERS: '[' } });
  says(t, unreadable, /^environment: TRESTLE_USERS: not valid JSON: unexpected /, 'CONFIG_SYNTAX');
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
    [
      '{ geocoders: [{ userAgent: "Ada’s maps" }] }',
      '1:28: geocoders[0].userAgent: expected one line of Latin-1 characters, found "Ada’s maps"',
    ],
    ...[
      [
        'style',
        'tiles.example/style.json',
        `an address that begins with https:// or http://, or a path such as /local/style.json`,
      ],
      [
        'darkStyle',
        'mapbox://styles/dark',
        `an address that begins with https:// or http://, or a path such as /local/style.json`,
      ],
      ...['https://tiles.example/{s}/{z}/{x}/{y}.png', 'https://tiles.example/', '/{z}/{x}/{y}.png'].map((tiles) => [
        'tiles',
        tiles,
        'an address of tiles such as https://tiles.example/{z}/{x}/{y}.png',
      ]),
    ].map(([name, text, form]) => [
      `{ baseMap: {\n ${name}: "${text}" } }`,
      `2:${(name ?? '').length + 4}: baseMap.${name}: expected ${form}, found "${text}"`,
    ]),
    [
      '{ baseMap: { hosts: ["https://fonts.example"] } }',
      '1:22: baseMap.hosts[0]: expected a host name such as tiles.example or *.tiles.example, found "https://fonts.example"',
    ],
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
  says(t, () => server({ flags: { trustedProxies: ['proxy'] } }), `command line: --trustedProxies: ${wrong}`);
  const id = 'expected an id of letters, digits, _ and -, found "a/b"';
  says(t, () => server({ flags: { routers: ['', 'a/b'] } }), `command line: --router: ${id}`);
  says(t, () => server({ environment: { TRESTLE_ROUTERS: 'a,a/b' } }), `environment: TRESTLE_ROUTERS: ${id}`);
  says(
    t,
    () => server({ environment: { TRESTLE_TRUSTED_PROXIES: '::1, proxy' } }),
    `environment: TRESTLE_TRUSTED_PROXIES: ${wrong}`,
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
    { type: 'vehicle-positions', url: 'htps://me:secret@a' },
    { type: 'websocket-gtfs-rt-updater', url: 'a.example/live' },
    { type: 'real-time-alerts', url: 'http://a', headers: { 'Api Key': '1' } },
    { type: 'real-time-alerts', url: 'https://' },
    { type: 'real-time-alerts', url: 'alerts.pb' },
    { type: 'real-time-alerts', url: 'file:///alerts.pb', headers: { Key: '1' } },
    { type: 'websocket-gtfs-rt-updater', url: 'ws://a' },
  ]`;
  const { config, warnings } = parseRouterConfig(`{ updaters: ${updaters} }`, 'r.json');
  t.deepEqual(
    config.updaters.map(({ type }) => type),
    ['stop-time-updater', 'example-updater', 'real-time-alerts', 'real-time-alerts', 'websocket-gtfs-rt-updater'],
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
    'r.json:12:34: updaters[10].url: expected an address that begins with https:// or http://, or a file, so updaters[10] is left out',
    'r.json:13:42: updaters[11].url: expected an address that begins with wss:// or ws://, so updaters[11] is left out',
    'r.json:14:50: updaters[12].headers: HTTP does not allow one of these headers, so updaters[12] is left out',
    'r.json:15:33: updaters[13].url: expected an address that begins with https:// or http://, or a file, so updaters[13] is left out',
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
  t.is(shown('port'), 'command line --port');
  t.is(shown('mount'), 'environment TRESTLE_MOUNT');
  t.is(shown('municipalities', 'adminLevel'), 's.json 3 2 municipalities.adminLevel');
  t.is(shown('municipalities', 'file'), 's.json 2 2 municipalities');
  t.is(shown('graphs'), 'defaults graphs');
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
