/** GET bike_rental: rental stations, all or those in a box. */

import type { Context } from 'koa';
import { presentStations, STATION_LIST_ROOT } from '../../serialization/bike-rental.js';
import type { RentalStation } from '../../updaters/rental-station.js';
import { JSON_OR_XML } from '../answers/negotiation.js';
import { respond } from '../answers/respond.js';
import type { HandlerDeps } from '../deps.js';
import { parameter, parameters } from '../params/parameter-schema.js';
import { parseLocation } from '../params/place.js';
import type { Query } from '../params/query.js';
import type { Route } from '../route.js';

const PARAMETERS = parameters({
  lowerLeft: parameter.text('`lat,lon` of the south-west corner'),
  upperRight: parameter.text('`lat,lon` of the north-east corner'),
  locale: parameter.text('Accepted, without effect: names are in one language', { default: 'en' }),
});

export const bikeRentalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/bike_rental',
    handler: listStations,
    summary: 'List bike rental stations',
    answer: 'RentalStations',
    tag: 'Bike rental',
    produces: JSON_OR_XML,
    query: PARAMETERS,
  },
];

async function listStations(ctx: Context, { registry, live }: HandlerDeps, query: Query): Promise<void> {
  const within = boxFilter(query);
  const stations = await registry.use(ctx.params.routerId, (router) => live.of(router)?.stations() ?? []);
  respond(ctx, STATION_LIST_ROOT, presentStations(stations.filter(within)));
}

/** Both corners belong to the box. */
function boxFilter(query: Query): (station: RentalStation) => boolean {
  const lowerLeft = query.given(PARAMETERS.lowerLeft);
  if (lowerLeft === undefined) return () => true;
  const [south, west] = parseLocation(lowerLeft, 'lowerLeft');
  const [north, east] = parseLocation(query.given(PARAMETERS.upperRight) ?? '', 'upperRight');
  return ({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east;
}
