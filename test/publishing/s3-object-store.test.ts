/** What the object store says about a missing setting. */

import test from 'ava';
import { openS3 } from '../../src/publishing/s3-object-store.js';

test('a missing region names what to set', async (t) => {
  // Nothing of this machine counts; a test file has a process of its own.
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) delete process.env[name];
  Object.assign(process.env, { AWS_CONFIG_FILE: 'none', AWS_SHARED_CREDENTIALS_FILE: 'none' });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
  const store = await openS3({ bucket: 'bucket', prefix: 'city' });
  await t.throwsAsync(store.folders('routers/'), {
    message:
      "s3://bucket/city/routers/ cannot be listed: the region is not known: set AWS_REGION, or s3Endpoint for a store that is not Amazon's",
  });
});
