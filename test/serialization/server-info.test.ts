import test from 'ava';
import { presentServer } from '../../src/serialization/server-info.js';

const FACTS = {
  interfaceVersion: '1.5.0',
  product: { name: 'Trestle', version: '0.2.0-rc.1' },
  commit: '0123456789abcdef',
  commitTime: '',
  buildTime: '',
  cpuName: 'unknown',
  cores: 2,
};

test('the numbers of the version are those of the interface, the names those of the product', (t) => {
  const { serverVersion, product } = presentServer(FACTS);
  t.deepEqual(product, FACTS.product);
  t.deepEqual(serverVersion, {
    version: '1.5.0',
    major: 1,
    minor: 5,
    incremental: 0,
    qualifier: '',
    commit: '0123456789abcdef',
    describe: 'Trestle-0.2.0-rc.1-g0123456',
    commit_time: '',
    build_time: '',
    longVersionString: 'version: 1.5.0\nmajor: 1\nminor: 5\npatch: 0\nqualifier: \ncommit: 0123456789abcdef\n',
    shortVersionString: 'Trestle 0.2.0-rc.1 0123456789abcdef',
    uid: 1_005_000,
  });
});

test('without a revision nothing is appended', (t) => {
  const { describe, shortVersionString } = presentServer({ ...FACTS, commit: '' }).serverVersion;
  t.deepEqual([describe, shortVersionString], ['Trestle-0.2.0-rc.1', 'Trestle 0.2.0-rc.1']);
});
