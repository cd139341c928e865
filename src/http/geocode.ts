/** Places by name: of a router's graph, or of the geocoders that the server knows. */

import type { Context } from 'koa';
import { presentPlaces } from '../serialization/geocode.js';
import type { AppDeps } from '../server/deps.js';
import type { ParameterSchema, ValueSchema } from './parameter-schema.js';
import { BadParameter } from './params/bad-parameter.js';
import { Query } from './params/query.js';
import { respondJson, respondText } from './respond.js';
import type { Route } from './route.js';

const TAG = 'Geocoding';
const JSON_ONLY = ['application/json'];

const parameter = (name: string, schema: ValueSchema, description: string): ParameterSchema => ({
  name,
  schema,
  description,
});

/** The rows of the route table about places by name. */
export const geocodeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/geocode',
    handler: geocode,
    summary: 'Find stops, clusters of stops and street corners by name',
    tag: TAG,
    produces: JSON_ONLY,
    query: [
      { ...parameter('query', { type: 'string' }, 'The name, or the code of a stop'), required: true },
      parameter('autocomplete', { type: 'boolean', default: false }, 'Words are beginnings, not misspelt'),
      parameter('stops', { type: 'boolean', default: true }, 'Find stops'),
      parameter('clusters', { type: 'boolean', default: false }, 'Find clusters of stops'),
      parameter('corners', { type: 'boolean', default: true }, 'Find street corners'),
    ],
  },
  {
    method: 'GET',
    path: '/geocode',
    handler: externalGeocode,
    summary: 'Ask the configured geocoder for an address',
    tag: TAG,
    query: [
      { ...parameter('address', { type: 'string' }, 'The address'), required: true },
      parameter('bbox', { type: 'string' }, '`minLat,minLon,maxLat,maxLon`'),
    ],
  },
  {
    method: 'GET',
    path: '/municoder',
    handler: municoder,
    summary: 'Name the municipality of a location',
    tag: TAG,
    query: [
      { ...parameter('location', { type: 'string' }, '`lat,lon`'), required: true },
      parameter('callback', { type: 'string' }, 'Function that wraps the answer'),
    ],
  },
];

async function geocode(ctx: Context, { registry }: AppDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const text = query.raw('query');
  if (text === undefined) throw new BadParameter('query', 'is missing');
  const asked = {
    text,
    autocomplete: query.boolean('autocomplete') ?? false,
    stops: query.boolean('stops') ?? true,
    clusters: query.boolean('clusters') ?? false,
    corners: query.boolean('corners') ?? true,
  };
  const places = await registry.use(ctx.params.routerId, (router) => router.graph.geocode(asked));
  respondJson(ctx, presentPlaces(places));
}

/** Statuses and texts are those that clients of the interface know. */
function externalGeocode(ctx: Context): void {
  const query = new Query(ctx.querystring);
  if (query.text('address') === undefined) return respondText(ctx, 400, 'no address');
  ctx.set('Content-Type', 'application/json;charset=UTF-8');
  const complaint = boxComplaint(query.text('bbox'));
  if (complaint !== undefined) {
    ctx.status = 400;
    ctx.body = complaint;
    return;
  }
  ctx.body = JSON.stringify({ error: 'no geocoder configured', count: 0 });
}

function boxComplaint(box: string | undefined): string | undefined {
  if (box === undefined) return undefined;
  const parts = box.split(',');
  if (parts.length !== 4) return 'A bounding box must have four coordinates.';
  const wrong = parts.find((part) => part.trim() === '' || !Number.isFinite(Number(part)));
  return wrong === undefined ? undefined : `Unable to parse coordinate: ${wrong}`;
}

function municoder(ctx: Context): void {
  if (new Query(ctx.querystring).text('location') === undefined) {
    return respondText(ctx, 400, 'no location to resolve');
  }
  respondText(ctx, 404, 'no boundaries of municipalities are configured\n');
}
