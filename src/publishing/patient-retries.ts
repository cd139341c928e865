/** When requests to an object store are tried again. */

import { setTimeout as pause } from 'node:timers/promises';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { pauseAfter } from '../pauses.js';

type RetryStrategy = Extract<S3ClientConfig['retryStrategy'], { acquireInitialRetryToken: unknown }>;

/** The pause before the first retry, milliseconds. */
const FIRST_PAUSE_MS = 25;
/** The same where the store asks for fewer requests. */
const FIRST_THROTTLED_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

const token = (retries: number) => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/**
 * Gives each request `tries` tries. The client's own strategy has a quota of retries that its requests share: when a
 * store has failed for some seconds the quota is used up, and the next request that fails is not tried again. Jobs and
 * mirrors have time to wait for the store.
 */
export function patientRetries(tries: number): RetryStrategy {
  return {
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (last, { errorType, retryAfterHint }) => {
      const retries = last.getRetryCount() + 1;
      const mayPass = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
      if (!mayPass || retries >= tries) throw new Error('the request will not be tried again');
      const first = errorType === 'THROTTLING' ? FIRST_THROTTLED_PAUSE_MS : FIRST_PAUSE_MS;
      const wanted = retryAfterHint ? retryAfterHint.getTime() - Date.now() : 0;
      await pause(Math.max(pauseAfter(retries, first, LONGEST_PAUSE_MS), Math.min(wanted, LONGEST_PAUSE_MS)));
      return token(retries);
    },
    recordSuccess: () => {},
  };
}
