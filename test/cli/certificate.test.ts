/** Certificates and keys that a server cannot use: it refuses to start, and says which file is wrong. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { trestle } from '../support/command.js';
import { isThere } from '../support/needs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const run = promisify(execFile);
const HAS_OPENSSL = isThere('openssl', await run('openssl', ['version']).then(Boolean, () => false));
const withOpenssl = HAS_OPENSSL ? test : test.skip;

/** A certificate with its key, the key with a password, another key, and files that are neither. */
async function makeFiles(t: ExecutionContext): Promise<string> {
  const made = await temporaryDirectory(t);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: made });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
  await openssl('req', '-x509', ...curve, '-keyout', 'key.pem', '-out', 'cert.pem');
  await openssl('req', '-x509', ...curve, '-keyout', 'other.pem', '-out', 'unused.pem');
  await openssl('pkcs8', '-topk8', '-in', 'key.pem', '-out', 'locked.pem', '-passout', 'pass:secret');
  await writeFile(path.join(made, 'text.pem'), 'not a certificate');
  await writeFile(path.join(made, 'empty.pem'), '');
  return made;
}

/** A certificate, a key, and how the message begins. */
const UNUSABLE = [
  ['text.pem', 'key.pem', /^.*: (--)?tlsCertificate: .*text\.pem cannot be used: no start line$/m],
  ['empty.pem', 'key.pem', /^.*: (--)?tlsCertificate: .*empty\.pem cannot be used: /m],
  ['cert.pem', 'text.pem', /^.*: (--)?tlsKey: .*text\.pem cannot be used: /m],
  ['cert.pem', 'cert.pem', /^.*: (--)?tlsKey: .*cert\.pem cannot be used: /m],
  ['cert.pem', 'other.pem', /^.*: (--)?tlsKey: .*other\.pem cannot be used: key values mismatch$/m],
  ['cert.pem', 'locked.pem', /^.*: (--)?tlsKey: .*locked\.pem cannot be used: it is encrypted with a password$/m],
  ['cert.pem', 'gone.pem', /^.*: (--)?tlsKey: .*gone\.pem cannot be read: ENOENT/m],
] as const;

for (const workers of ['1', '2']) {
  withOpenssl(`a certificate or key that cannot be used ends the server: --workers ${workers}`, async (t) => {
    const made = await makeFiles(t);
    for (const [certificate, key, message] of UNUSABLE) {
      const where = ['--basePath', made, '--port', '0', '--securePort', '0', '--no-buildOnDemand'];
      const files = ['--tlsCertificate', certificate, '--tlsKey', key];
      const { code, err } = await trestle(['serve', ...where, ...files, '--workers', workers]);
      t.is(code, 1, err);
      t.regex(err, message);
    }
  });
}

withOpenssl('check reads the certificate and the key beside the settings', async (t) => {
  const made = await makeFiles(t);
  const checked = (tlsCertificate: string, tlsKey: string) => {
    writeFileSync(path.join(made, 'server-config.json'), JSON.stringify({ tlsCertificate, tlsKey }));
    return trestle(['check', made]);
  };
  t.deepEqual(await checked('cert.pem', 'key.pem'), { code: 0, out: 'server-config.json: ok\n', err: '' });
  for (const [certificate, key, message] of UNUSABLE) {
    const { code, out } = await checked(certificate, key);
    t.is(code, 1, out);
    t.regex(out, message);
  }
});
