/** Recorded answers of the reference server, when they are there: `../shared/golden` beside the repository. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hasShared, SHARED } from '../support/needs.js';

/** One recorded request with its answer. */
export interface Recording {
  city: string;
  name: string;
  method: string;
  /** Below the mount, with the query. */
  path: string;
  headers: Record<string, string>;
  /** What was sent. */
  requestBody?: Buffer;
  status: number;
  contentType: string;
  body: Buffer;
}

/** Everything recorded in an area (`plan`, `routers` …) of a city, or of all; empty when there is nothing. */
export function recordings(area: string, one?: string): Recording[] {
  const golden = path.join(SHARED, 'golden');
  if (!hasShared('golden')) return [];
  const cities = one === undefined ? readdirSync(golden) : [one];
  return cities.flatMap((city) => {
    const file = path.join(golden, city, `${area}.jsonl.gz`);
    if (!existsSync(file)) return [];
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
    return lines.map((line) => {
      const { response_b64, content_type, body_b64, ...rest } = JSON.parse(line);
      const body = Buffer.from(response_b64 ?? '', 'base64');
      const requestBody = body_b64 ? Buffer.from(body_b64, 'base64') : undefined;
      return { ...rest, city, contentType: content_type, body, requestBody };
    });
  });
}
