/** Places by name: from a router's graph, or from the configured geocoders. */

import type { Context } from 'koa';
import { type Box, findAddress } from '../../geocoding/external-geocoder.js';
import { quoted } from '../../quoted.js';
import { presentAddresses, presentMunicipality, presentPlaces } from '../../serialization/geocode.js';
import { JSON_ONLY } from '../answers/negotiation.js';
import { respondJson, respondText } from '../answers/respond.js';
import type { HandlerDeps } from '../deps.js';
import { BadParameter } from '../params/bad-parameter.js';
import { parameter, parameters } from '../params/parameter-schema.js';
import { parseLocation } from '../params/place.js';
import type { Query } from '../params/query.js';
import { routesWith } from '../route.js';

/** Parameters of a search for places in a router's graph. */
const GEOCODE = parameters({
  query: parameter.text(
    'The name, or the code of a stop; words in quotation marks have to follow each other in the name',
    {
      required: true,
    },
  ),
  autocomplete: parameter.boolean('Match the beginnings of words, without correcting misspellings', { default: false }),
  stops: parameter.boolean('Find stops', { default: true }),
  clusters: parameter.boolean('Find clusters of stops', { default: false }),
  corners: parameter.boolean('Find street corners', { default: true }),
  places: parameter.boolean('Find settlements, other named places, and addresses', { default: false }),
});

/** Parameters of a search for addresses at the configured geocoders. */
const ADDRESS = parameters({
  address: parameter.text('The address', { required: true }),
  bbox: parameter.text('`minLat,minLon,maxLat,maxLon`'),
});

const MUNICODER = parameters({
  location: parameter.text('`lat,lon`', { required: true }),
  callback: parameter.text('Function that wraps the answer'),
});

export const geocodeRoutes = routesWith({ tag: 'Geocoding' }, [
  {
    method: 'GET',
    path: '/routers/:routerId/geocode',
    handler: geocode,
    summary: 'Find stops, clusters of stops, street corners, and places and addresses of the map by name',
    answer: 'FoundPlaces',
    query: GEOCODE,
  },
  {
    method: 'GET',
    path: '/geocode',
    handler: externalGeocode,
    summary: 'Ask the configured geocoder for an address',
    answer: 'Addresses',
    jsonRefusals: 'unquoted text',
    sends: JSON_ONLY,
    query: ADDRESS,
  },
  {
    method: 'GET',
    path: '/municoder',
    handler: municoder,
    summary: 'Name the municipality of a location',
    answer: 'Municipality',
    sends: ['application/json', 'application/javascript'],
    query: MUNICODER,
  },
]);

async function geocode(ctx: Context, { registry }: HandlerDeps, query: Query): Promise<void> {
  const text = query.raw(GEOCODE.query);
  if (text === undefined) throw new BadParameter('query', 'is missing');
  const requested = {
    text,
    autocomplete: query.value(GEOCODE.autocomplete),
    stops: query.value(GEOCODE.stops),
    clusters: query.value(GEOCODE.clusters),
    corners: query.value(GEOCODE.corners),
    places: query.value(GEOCODE.places),
  };
  const places = await registry.use(ctx.params.routerId, (router) => router.graph.geocode(requested));
  respondJson(ctx, presentPlaces(places));
}

/** Clients of the interface know these statuses and texts. */
async function externalGeocode(ctx: Context, { config }: HandlerDeps, query: Query): Promise<void> {
  const address = query.given(ADDRESS.address);
  if (address === undefined) return respondText(ctx, 400, 'no address');
  ctx.set('Content-Type', 'application/json;charset=UTF-8');
  const bbox = query.given(ADDRESS.bbox);
  const complaint = boxComplaint(bbox);
  if (complaint !== undefined) {
    ctx.status = 400;
    ctx.body = complaint;
    return;
  }
  const box = bbox === undefined ? undefined : (bbox.split(',').map(Number) as unknown as Box);
  ctx.body = JSON.stringify(presentAddresses(await findAddress(config.geocoders, address, box)));
}

function boxComplaint(box: string | undefined): string | undefined {
  if (box === undefined) return undefined;
  const parts = box.split(',');
  if (parts.length !== 4) return 'A bounding box must have four coordinates.';
  const wrong = parts.find((part) => part.trim() === '' || !Number.isFinite(Number(part)));
  return wrong === undefined ? undefined : `Unable to parse coordinate: ${wrong}`;
}

/** A client without CORS gets the answer wrapped in a function call. */
async function municoder(ctx: Context, { municipalities }: HandlerDeps, query: Query): Promise<void> {
  const location = query.given(MUNICODER.location);
  if (location === undefined) return respondText(ctx, 400, 'no location to resolve');
  const [lat, lon] = parseLocation(location, 'location');
  const callback = query.given(MUNICODER.callback);
  if (callback !== undefined && !/^[\w$.]{1,100}$/.test(callback)) {
    throw new BadParameter('callback', `${quoted(callback)} is not the name of a function`);
  }
  const answer = presentMunicipality(await municipalities.nameAt(lat, lon));
  ctx.set('Content-Type', callback === undefined ? 'application/json' : 'application/javascript');
  ctx.body = callback === undefined ? answer : `${callback}(${answer});`;
}
