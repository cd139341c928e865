/** Decides whether an answer is as good as the recorded one. */

import { comparePlans, type Verdict } from './plan-acceptance.js';
import type { Recording } from './recordings.js';
import {
  type Geometry,
  geometryDifferences,
  type Isochrones,
  imageDifferences,
  isochroneDifferences,
  timeGridDifferences,
} from './shape-acceptance.js';
import { indicatorDifferences, shapeDifferences, valueDifferences } from './value-acceptance.js';

/** An answer to be judged. */
export interface Received {
  readonly status: number;
  readonly body: Buffer;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const same: Verdict = { kind: 'same', notes: [] };
const differs = (notes: string[]): Verdict => (notes.length === 0 ? same : { kind: 'differs', notes });

/** Compares what was received with what was recorded; a recorded failure of the server asks for any other answer. */
export async function judge(recording: Recording, received: Received): Promise<Verdict> {
  const { status, method, body } = recording;
  if (status >= 500) return received.status < 500 ? same : { kind: 'worse', notes: [`status ${received.status}`] };
  if (received.status !== status) {
    const bothRefuse = status >= 400 && received.status >= 400 && received.status < 500;
    const clearer = received.status === 400 && recording.path.includes('BOGUS');
    return bothRefuse || clearer ? same : differs([`status ${received.status} instead of ${status}`]);
  }
  if (status === 204 || method === 'HEAD' || method === 'OPTIONS') return same;
  if (body.subarray(0, 4).equals(PNG)) return differs(await pictureDifferences(recording, received.body));
  if (body.subarray(0, 2).toString() === 'PK') {
    return differs(received.body.subarray(0, 2).toString() === 'PK' ? [] : ['no zip']);
  }
  const recorded = parsed(body);
  if (recorded === undefined) return differs(textDifferences(recording, received.body));
  const answer = parsed(received.body);
  return answer === undefined ? differs(['not JSON']) : judgeJson(recording.path, recorded, answer);
}

function pictureDifferences({ path, body }: Recording, answer: Buffer): Promise<string[]> | string[] {
  if (!answer.subarray(0, 4).equals(PNG)) return ['no PNG'];
  return path.includes('/timegrid') ? timeGridDifferences(body, answer) : imageDifferences(body, answer);
}

/** Texts of refusals may be clearer; those of GeoTIFFs and the like are not compared. */
function textDifferences({ status, body, contentType }: Recording, answer: Buffer): string[] {
  const equal = String(body).trim() === String(answer).trim();
  return equal || status >= 400 || !contentType.includes('json') ? [] : [`${String(answer).slice(0, 60)}`];
}

function judgeJson(target: string, recorded: any, answer: any): Verdict {
  const { pathname, searchParams } = new URL(target, 'http://server');
  if (/\/plan\/?$/.test(pathname)) return comparePlans(recorded, answer, searchParams);
  if (recorded?.type === 'FeatureCollection' && !pathname.includes('/pointsets')) {
    return differs(isochroneDifferences(recorded as Isochrones, answer as Isochrones));
  }
  if (recorded?.coordinates && answer?.coordinates) {
    return differs(geometryDifferences(recorded as Geometry, answer as Geometry));
  }
  if (pathname.endsWith('/indicator')) {
    return differs([...shapeDifferences(recorded, answer), ...indicatorDifferences(recorded, answer)]);
  }
  // The reference looks around its own clock when a moment is asked for.
  const ownClock = pathname.endsWith('/stoptimes') && searchParams.has('startTime') && recorded.length === 0;
  if (ownClock && answer.length > 0) return { kind: 'better', notes: [] };
  if (pathname === '/' || pathname.endsWith('/profile')) return differs(shapeDifferences(recorded, answer));
  if (!pathname.startsWith('/surfaces')) return differs(valueDifferences(recorded, answer));
  const [{ id: _, ...before }, { id: __, ...now }] = [recorded, answer];
  return differs(valueDifferences(before, now));
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
