/** The command line as a shell sees it: output and exit codes. None of these needs the addon. */

import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { hasBuildInputs } from '../../src/registry/inputs.js';
import { MAIN, trestle } from '../support/command.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

async function directory(t: ExecutionContext, files: Record<string, string> = {}): Promise<string> {
  const made = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(made, name), text);
  return made;
}

test('--help names every command, --version the version', async (t) => {
  const help = await trestle(['--help']);
  t.is(help.code, 0);
  for (const command of ['serve', 'build', 'plan', 'check', 'sample'])
    t.regex(help.out, new RegExp(`^  ${command} `, 'm'));
  for (const flag of ['--inMemory', '--graphs', '--autoScan', '--insecure', '--basePath'])
    t.true(help.out.includes(flag));
  const version = await trestle(['--version']);
  t.is(version.code, 0);
  t.regex(version.out, /^\d+\.\d+\.\d+/);
});

test('help names the options of a command', async (t) => {
  t.deepEqual(await trestle(['help', 'job']), await trestle(['job', '--help']));
  t.deepEqual(await trestle(['help']), await trestle(['--help']));
  const listHelp = await trestle(['job', 'list', '--help']);
  t.deepEqual(await trestle(['job', 'help', 'list']), listHelp);
  t.deepEqual(await trestle(['help', 'job', 'list']), listHelp);
  t.is((await trestle(['help', 'help'])).code, 0);
});

test('messages about wrong arguments begin as all others do', async (t) => {
  for (const args of [['--nope'], ['plan', '--nope'], ['job', 'list', '--nope'], ['serve', '--port'], ['nope']]) {
    const { code, err } = await trestle(args);
    t.is(code, 1);
    t.true(err.startsWith('trestle: '), err);
  }
});

test('a server with a certificate without its key, or a key alone, refuses to start', async (t) => {
  const made = await directory(t, { 'a.pem': '' });
  for (const [given, other] of [
    ['tlsCertificate', 'tlsKey'],
    ['tlsKey', 'tlsCertificate'],
  ]) {
    const { code, err } = await trestle(['serve', '--port', '0', '--basePath', made, `--${given}`, 'a.pem']);
    t.is(code, 1);
    t.true(err.includes(`trestle: command line: --${given}: HTTPS also needs ${other}`), err);
    const settings = await directory(t, { 'server-config.json': `{ ${given}: 'a.pem' }` });
    const checked = await trestle(['check', settings]);
    t.is(checked.code, 1);
    t.is(checked.out, `${settings}/server-config.json:1:3: ${given}: HTTPS also needs ${other}\n`);
  }
});

test('a server with a setting that cannot be used refuses to start, and names it', async (t) => {
  for (const [settings, message] of [
    [{ trustedProxies: ['10.0.0.0/'] }, '1:20: trustedProxies[0]: expected an address or a network'],
    [{ feedHosts: ['a b'] }, '1:15: feedHosts[0]: expected a host name, an address or a network'],
    [{ users: [{ name: 'a', password: 'b', roles: [] }] }, '1:34: users[0].password: expected a hash'],
  ] as const) {
    const made = await directory(t, { 'server-config.json': JSON.stringify(settings) });
    const { code, err } = await trestle(['serve', '--port', '0', '--basePath', made]);
    t.is(code, 1, err);
    t.true(err.includes(`server-config.json:${message}`), err);
    const checked = await trestle(['check', made]);
    t.is(checked.code, 1, checked.out);
    t.true(checked.out.includes(`server-config.json:${message}`), checked.out);
  }
});

test('a server with a file where it needs a directory refuses to start', async (t) => {
  const made = await directory(t, { file: '' });
  for (const setting of ['graphs', 'cache', 'pointSets', 'jobs', 'clientFiles']) {
    const { code, err } = await trestle(['serve', '--port', '0', '--basePath', made, `--${setting}`, 'file']);
    t.is(code, 1, setting);
    t.true(err.includes(`: --${setting}: ${path.join(made, 'file')} is not a directory`), err);
  }
  const published = ['--graphs', 's3://bucket/graphs', '--cache', 'file'];
  const { err } = await trestle(['serve', '--port', '0', '--basePath', made, ...published]);
  t.true(err.includes(`: --cache: ${path.join(made, 'file')} is not a directory`), err);
});

test('an address that this machine does not have is named with its setting', async (t) => {
  const made = await directory(t);
  for (const workers of ['1', '2']) {
    const where = ['--port', '0', '--bindAddress', '192.0.2.1', '--workers', workers];
    const { code, err } = await trestle(['serve', '--basePath', made, '--no-buildOnDemand', ...where]);
    t.is(code, 255);
    t.regex(err, /^trestle: bindAddress: 192\.0\.2\.1 is not an address of this machine \(EADDRNOTAVAIL\)$/m);
  }
});

test('check finds what keeps a server from starting, or fails the first request that needs it', async (t) => {
  for (const [settings, message] of [
    [
      "{\n redis: 'foo://user:secret@host' }",
      '2:9: redis: expected an address that begins with redis:// or rediss://\n',
    ],
    ["{\n graphs: 'server-config.json' }", '2:2: graphs: DIR/server-config.json is not a directory\n'],
    ["{\n bindAddress: 'localhost:80' }", '2:15: bindAddress: expected an address or a name of this machine, found'],
    ["{\n mount: '/a b?c' }", '2:9: mount: expected a path of letters, digits,'],
    [
      "{\n s3Endpoint: 'localhost:9000' }",
      '2:14: s3Endpoint: expected an address that begins with https:// or http://',
    ],
    [
      "{\n clientFilesPolicy: 'a\\nb' }",
      '2:21: clientFilesPolicy: expected one line of ASCII characters, found "a\\nb"\n',
    ],
    [
      "{\n routers: ['a', 'New York'] }",
      '2:17: routers[1]: expected an id of letters, digits, _ and -, found "New York"\n',
    ],
    ["{\n alertFile: 'server-config.json' }", '2:2: alertFile: DIR/server-config.json: the alerts cannot be read ('],
    [
      "{\n alertFile: 'areas.json' }",
      '2:2: alertFile: DIR/areas.json: the alerts cannot be read (expected a list of alerts with ids)\n',
    ],
    ["{\n municipalities: {\n file: 'none.json' } }", '3:2: municipalities.file: DIR/none.json cannot be read: ENOENT'],
    [
      "{\n municipalities: {\n file: 'areas.json' } }",
      '3:2: municipalities.file: DIR/areas.json: no polygon has a property "name"\n',
    ],
  ] as const) {
    const made = await directory(t, { 'server-config.json': settings, 'areas.json': '{ "features": [] }' });
    const { code, out } = await trestle(['check', made]);
    t.is(code, 1, settings);
    t.true(out.startsWith(`${made}/server-config.json:${message.replace('DIR', made)}`), out);
    t.false(out.includes('secret'), out);
    // A server reads boundaries when the first request needs them.
    if (message.includes('no polygon')) continue;
    const served = await trestle(['serve', '--port', '0', '--basePath', made, '--no-buildOnDemand']);
    t.is(served.code, 1, settings);
    t.is(served.err, `trestle: ${out.split('\n')[0]}\n`);
  }
});

test('check warns of a missing directory of clientFiles, as a server does', async (t) => {
  const made = await directory(t, { 'server-config.json': "{\n clientFiles: 'none' }" });
  const place = `${made}/server-config.json:2:2: clientFiles: there is no directory ${made}/none, so /local is empty`;
  t.deepEqual(await trestle(['check', made]), { code: 0, out: `server-config.json: ok\n  ${place}\n`, err: '' });
});

test('the sample is not mixed with the inputs of another town', async (t) => {
  const made = await directory(t);
  const town = path.join(made, 'town');
  t.is((await trestle(['sample', town])).code, 0);
  t.is((await trestle(['sample', town])).code, 0, 'again');
  await writeFile(path.join(town, 'other.osm.pbf'), '');
  const { code, err } = await trestle(['sample', town]);
  t.is(code, 1);
  t.is(err, `trestle: ${town} has other inputs of a build, such as other.osm.pbf\n`);
});

test('sample copies the town, its point set where requested', async (t) => {
  const made = await directory(t);
  const { code, out } = await trestle(['sample', path.join(made, 'town'), '--pointSets', path.join(made, 'points')]);
  t.is(code, 0);
  t.is(out.trim().split('\n').length, 5);
  t.deepEqual(readdirSync(path.join(made, 'town')).sort(), [
    'city.gtfs.zip',
    'elevation.tif',
    'region.gtfs.zip',
    'streets.osm.pbf',
  ]);
  t.deepEqual(readdirSync(path.join(made, 'points')), ['town.csv']);
});

test('sample names what is not a directory', async (t) => {
  const made = await directory(t);
  const file = path.join(made, 'file');
  writeFileSync(file, '');
  for (const args of [[file], [path.join(file, 'town')], [path.join(made, 'town'), '--pointSets', file]]) {
    const { code, out, err } = await trestle(['sample', ...args]);
    t.deepEqual([code, out], [1, '']);
    t.regex(err, /^trestle: \S*file\S* is not a directory\n$/);
  }
});

test('a command that does not exist is named, with the one that may have been meant', async (t) => {
  const { code, err } = await trestle(['srve', '--port', '0']);
  t.deepEqual([code, err], [1, 'trestle: there is no command srve; did you mean serve?\n']);
  t.regex((await trestle(['teleport'])).err, /there is no command teleport; see `trestle --help`/);
});

test('without a graph, the message says how to build one', async (t) => {
  const made = await directory(t);
  const { code, err } = await trestle(['plan', '--graph', made, '--from', '1,1', '--to', '2,2']);
  t.is(code, 255);
  t.regex(
    err,
    /^trestle: there is no graph .*Graph\.obj: build it with `trestle build .*`, or name another one with --graph\n$/,
  );
});

test('nothing to do is 255', async (t) => {
  const { code, err } = await trestle([]);
  t.is(code, 255);
  t.regex(err, /nothing to do/);
});

for (const args of [
  ['--port', 'abc'],
  ['serve', '--port', '-1'],
  ['--bogus'],
  ['serve', '--bogus'],
  ['plan', '--from', '1,2'],
  ['plan', '--from', '1,2', '--to', '3,4', '--time', '8pm'],
  ['matrix', 'a.csv', 'b.csv', '--time', '8'],
  ['job', 'matrix', 'a.csv', 'b.csv', '--time', '8h'],
  ['build'],
  ['build', '/nonexistent'],
  ['check', '/nonexistent'],
  ['--inMemory'],
  ['fly'],
  ['help', 'fly'],
  ['job', 'help', 'fly'],
  ['help', 'job', 'fly'],
]) {
  test(`trestle ${args.join(' ')} is a usage error`, async (t) => {
    const { code, err } = await trestle(args);
    t.is(code, 1);
    t.not(err, '');
    t.false(err.includes('    at '));
    if (args.at(-1) === 'fly') {
      const list = args.includes('job') ? 'trestle job --help' : 'trestle --help';
      t.is(err, `trestle: there is no command fly; see \`${list}\`\n`);
    }
    if (args.includes('--time')) t.regex(err, /a time such as 8:15/);
  });
}

test('a file of settings or arguments, or a script, that cannot be read is named', async (t) => {
  const made = await directory(t);
  await mkdir(path.join(made, 'directory.mjs'));
  for (const name of ['missing.mjs', 'directory.mjs']) {
    const file = path.join(made, name);
    for (const args of [['serve', '--config', file], ['serve', '--basePath', made, '--script', file], [`@${file}`]]) {
      const { code, err } = await trestle(args);
      t.is(code, 1, args.join(' '));
      t.true(err.startsWith(`trestle: ${file} cannot be read: `), err);
    }
  }
});

test('a server needs a base path that exists', async (t) => {
  const made = await directory(t, { file: '' });
  for (const name of ['missing', 'file']) {
    const place = path.join(made, name);
    const { code, err } = await trestle(['--server', '--port', '0', '--basePath', place]);
    t.is(code, 1);
    t.is(err, `trestle: --basePath: ${place} is not a directory\n`);
  }
  t.deepEqual(await readdir(made), ['file']);
});

test('a directory or settings that cannot be read are named', async (t) => {
  const made = await directory(t);
  // Not even root can read a link to itself.
  for (const name of ['closed', 'server-config.json']) await symlink(name, path.join(made, name));
  const closed = path.join(made, 'closed');
  const base = await directory(t);
  for (const setting of ['graphs', 'cache', 'pointSets', 'jobs', 'clientFiles']) {
    const { code, err } = await trestle(['serve', '--port', '0', '--basePath', base, `--${setting}`, closed]);
    t.is(code, 1, setting);
    t.true(err.startsWith(`trestle: command line: --${setting}: ${closed} cannot be read: ELOOP: `), err);
  }
  await t.throwsAsync(hasBuildInputs(closed), { code: 'ELOOP' });
  const { code, err } = await trestle(['serve', '--basePath', made]);
  t.is(code, 1);
  t.regex(err, /^trestle: .*server-config.json cannot be read: ELOOP: /);
});

test('a directory without inputs cannot be built', async (t) => {
  const { code, err } = await trestle(['build', await directory(t, { 'readme.txt': 'x' })]);
  t.is(code, 255);
  t.regex(err, /neither GTFS .* nor OpenStreetMap/);
});

test('a configuration that is not JSON is 42 and says where', async (t) => {
  const inputs = await directory(t, { 'map.osm': '<osm/>', 'build-config.json': '{\n  areaVisibility: tru\n}' });
  for (const args of [
    ['build', inputs],
    ['--build', inputs, '--inMemory'],
  ]) {
    const { code, err } = await trestle(args);
    t.is(code, 42, args.join(' '));
    t.regex(err, /build-config\.json:2:/);
  }
  const checked = await trestle(['check', inputs]);
  t.is(checked.code, 42);
  t.is(checked.out.split('build-config.json').length, 2, checked.out);
  t.regex(checked.out, /build-config\.json:2:/);
  const settings = await directory(t, { 'server-config.json': '{ port 1 }' });
  t.is((await trestle(['check', settings])).code, 42);
  t.is((await trestle(['serve', '--basePath', settings])).code, 42);
});

test('check finds faults in a router directory', async (t) => {
  const good = await directory(t, {
    'map.osm': '<osm/>',
    'router-config.json': '{ routingDefaults: { walkSpeeed: 1 } }',
  });
  const warned = await trestle(['check', good]);
  t.is(warned.code, 0);
  t.regex(warned.out, /did you mean "walkSpeed"/);
  const bad = await directory(t, { 'map.osm': '<osm/>', 'router-config.json': '{ timeouts: "soon" }' });
  t.is((await trestle(['check', bad])).code, 1);
  for (const [defaults, fault] of [
    ['modes: "WALK,FLY"', 'modes: expected modes such as TRANSIT,WALK or BICYCLE_RENT, found "WALK,FLY"'],
    ['modes: ["WALK", "BUS_FLY"]', 'modes[1]: expected modes such as TRANSIT,WALK or BICYCLE_RENT, found "BUS_FLY"'],
    [
      'bannedRoutes: "10"',
      'bannedRoutes: expected routes in the form feed__routeId, feed_routeName or _routeName, found "10"',
    ],
    ['startTransitStopId: "A"', 'startTransitStopId: expected an id in the form feed_id, found "A"'],
    ['bannedStops: "1"', 'bannedStops: expected stops in the form feed:stop, found "1"'],
  ] as const) {
    const wrong = await directory(t, {
      'map.osm': '<osm/>',
      'router-config.json': `{ routingDefaults: {\n${defaults} } }`,
    });
    const refused = await trestle(['check', wrong]);
    t.is(refused.code, 1);
    const place = `${path.join(wrong, 'router-config.json')}:2:${defaults.startsWith('modes: [') ? 17 : defaults.indexOf('"') + 1}`;
    t.true(refused.out.includes(`${place}: routingDefaults.${fault}\n`), refused.out);
  }
  t.is((await trestle(['check', await directory(t, { 'map.osm': 'no map' })])).code, 255);
  t.is((await trestle(['check', await directory(t)])).code, 255);
});

test('a reader that has seen enough does not end a command with a stack trace', async (t) => {
  const keys = Array.from({ length: 200 }, (_, i) => `key${i}: 1`).join(',');
  const made = await directory(t, { 'map.osm': '<osm/>', 'router-config.json': `{ ${keys} }` });
  const ended = await new Promise<Awaited<ReturnType<typeof trestle>>>((resolve) => {
    const child = execFile(process.execPath, [MAIN, 'check', made], (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
    child.stdout?.destroy();
  });
  t.is(ended.err, '');
  t.is(ended.code, 0);
});

test('check reads the settings of a server where there is no router', async (t) => {
  const base = await directory(t, { 'server-config.json': '{ port: 9000 }' });
  const checked = await trestle(['check', base]);
  t.is(checked.code, 0);
  t.regex(checked.out, /server-config.json: ok/);
});

test('arguments can come from a file', async (t) => {
  const made = await directory(t, { args: 'check\n/nonexistent\n' });
  const { code, err } = await trestle([`@${path.join(made, 'args')}`]);
  t.is(code, 1);
  t.regex(err, /nonexistent is not a directory/);
});

test('hash-password reads a password and prints only its hash', async (t) => {
  const { code, out } = await trestle(['hash-password'], 'correct horse\n');
  t.is(code, 0);
  t.regex(out, /^scrypt\$/);
  t.false(out.includes('horse'));
  t.is((await trestle(['hash-password'], '\n')).code, 1);
});

test('flags take only the values that their settings have, and objects have no flag', async (t) => {
  const wrong = await trestle(['serve', '--logLevel', 'loud']);
  t.is(wrong.code, 1);
  t.regex(wrong.err, /--logLevel.*'loud' is invalid\. Allowed choices are fatal, /);
  for (const [flag, value, message] of [
    ['--workers', '0', 'Expected a whole number of at least 1, found "0".'],
    ['--maxSearchMs', '0', 'Expected a whole number of at least 1, found "0".'],
    ['--port', '65536', 'Expected a whole number from 0 to 65535, found "65536".'],
  ] as const) {
    const refused = await trestle(['serve', flag, value]);
    t.is(refused.code, 1);
    t.true(refused.err.includes(message), refused.err);
  }
  t.regex((await trestle(['work', '--maxThreads', 'many'])).err, /Expected a whole number of at least 0, found "many"/);
  const help = await trestle(['serve', '--help']);
  t.regex(help.out, /^ {2}--port /m);
  t.notRegex(help.out, /--(baseMap|users|tokens|geocoders|municipalities) /);
});

test('publish names its argument if that is not an address', async (t) => {
  const { code, err } = await trestle(['publish', '.', 'bucket/prefix']);
  t.is(code, 1);
  t.is(err, 'trestle: <address>: expected s3://bucket/prefix, found "bucket/prefix"\n');
  const wrong = await trestle(['publish', '.', 's3://bucket/prefix', '--s3Endpoint', 'localhost:9000']);
  t.is(wrong.code, 1);
  t.true(wrong.err.startsWith('trestle: command line: --s3Endpoint: expected an address that begins with'), wrong.err);
});

test('job status says that there is no such job, and what a look into the queue needs', async (t) => {
  const { code, err } = await trestle(['job', 'status', 'nowhere']);
  t.is(code, 255);
  t.is(err, 'trestle: there is no job in the folder "nowhere"; to look in the queue, give --redis and --jobs\n');
});
