/** POST /routers/{routerId}/matrix: travel times from many places to many places. */

import type { Context } from 'koa';
import { LONGEST_MATRIX_SECONDS, matrixRequest, originSlices } from '../../analysis/matrix.js';
import { matrixRows } from '../../analysis/matrix-rows.js';
import { HttpError } from '../../http-error.js';
import type { SearchOptions } from '../../native/types.js';
import { quoted } from '../../quoted.js';
import { didYouMean } from '../../suggestion.js';
import { JSON_ONLY } from '../answers/negotiation.js';
import { respondBytes } from '../answers/respond.js';
import type { HandlerDeps } from '../deps.js';
import { BadParameter } from '../params/bad-parameter.js';
import { ROUTING } from '../params/descriptions.js';
import { parameter, parameters } from '../params/parameter-schema.js';
import { PLACES_SCHEMA, places } from '../params/place.js';
import type { Query } from '../params/query.js';
import { requestNow } from '../params/routing-request.js';
import { searchOptions } from '../request/searches.js';
import { parseJsonObject, readText } from '../request/small-body.js';
import { useRouter } from '../request/use-router.js';
import type { Route } from '../route.js';

const PARAMETERS = {
  ...parameters({
    maxTimeSec: parameter.integer('Longest time, seconds', {
      minimum: 1,
      maximum: LONGEST_MATRIX_SECONDS,
      default: 7200,
    }),
  }),
  ...ROUTING,
};

export const matrixRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/routers/:routerId/matrix',
    handler: matrix,
    summary: 'Seconds from every origin to every destination: `{"origins":[[lat,lon],…],"destinations":[[lat,lon],…]}`',
    answer: 'Matrix',
    tag: 'Analysis',
    consumes: JSON_ONLY,
    body: {
      type: 'object',
      required: ['origins', 'destinations'],
      properties: { origins: PLACES_SCHEMA, destinations: PLACES_SCHEMA },
      additionalProperties: false,
    },
    cost: 'long search',
    query: PARAMETERS,
  },
];

/** Most times of one answer; larger matrices need the command line. */
const MAX_TIMES = 4_000_000;

/** Origins or destinations of a matrix: lat, lon, lat, lon, … */
interface MatrixPlaces {
  readonly origins: Float64Array;
  readonly destinations: Float64Array;
}

async function matrix(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const { origins, destinations } = readPlaces(await readText(ctx, deps.config.maxBodyBytes));
  const rows = await searchMatrix(deps, ctx.params.routerId, query, { origins, destinations }, () =>
    searchOptions(ctx),
  );
  respondBytes(ctx, 'application/json', Buffer.concat([Buffer.from('{"seconds":'), rows, Buffer.from('}')]));
}

/**
 * Seconds from every origin to every destination, both lat, lon, lat, lon, …, as JSON: a list for each origin, with
 * null where the destination is not reached in time. It is written while the search continues, so that no large piece
 * is left for the end.
 */
export async function searchMatrix(
  deps: HandlerDeps,
  routerId: string | undefined,
  query: Query,
  { origins, destinations }: MatrixPlaces,
  search: () => SearchOptions,
): Promise<Buffer> {
  if (origins.length * destinations.length > 4 * MAX_TIMES) {
    throw new HttpError(413, `more than ${MAX_TIMES} times in one answer: send fewer origins or destinations\n`);
  }
  const maxSeconds = query.value(PARAMETERS.maxTimeSec);
  return useRouter(deps, routerId, query, async (router) => {
    const request = matrixRequest(requestNow(query, router.graph, router.config));
    const written: Buffer[] = [];
    const width = destinations.length / 2;
    for (const slice of originSlices(origins, width)) {
      const times = await router.graph.matrix(request, { ...slice, destinations, maxSeconds }, search());
      if (times.length === 0) continue;
      written.push(Buffer.from(written.length === 0 ? '[' : ','));
      for await (const piece of matrixRows(times, width)) written.push(piece);
    }
    return Buffer.concat([...written, Buffer.from(written.length === 0 ? '[]' : ']')]);
  });
}

function readPlaces(text: string): MatrixPlaces {
  const { origins, destinations, ...others } = parseJsonObject(text);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const meant = didYouMean(unknown, ['origins', 'destinations'], '"');
    throw new HttpError(400, `${quoted(unknown)}: unknown member${meant}\n`);
  }
  const ends = { origins: places(origins, 'origins'), destinations: places(destinations, 'destinations') };
  for (const [name, { length }] of Object.entries(ends)) if (length === 0) throw new BadParameter(name, 'is empty');
  return ends;
}
