/** /feeds, /agencies */

import type { Graph } from '../../../native/types.js';
import { presentAgency, presentFeed, presentRoute, presentRouteShort } from '../../../serialization/index-entities.js';
import type { Route } from '../../route.js';
import { inChunks, locate, only, relatedTo } from './entities.js';
import { EntityNotFound, EVERYWHERE, type IndexRequest, indexRoute } from './index-route.js';

export const agencyRoutes: readonly Route[] = [
  indexRoute('/feeds', 'Ids', 'Ids of all feeds', (graph) => graph.feedsSync(graph.list('feeds')).map(({ id }) => id)),
  indexRoute('/feeds/:feedId', 'Feed', 'One feed', feed),
  indexRoute('/agencies/:feedId', 'Agencies', 'Agencies of a feed', (graph, { path }) =>
    allAgencies(graph)
      .filter(({ feed }) => feed === path.feedId)
      .map(presentAgency),
  ),
  indexRoute('/agencies/:feedId/:agencyId', 'Agency', 'One agency', (graph, { path }) =>
    presentAgency(agency(graph, path)),
  ),
  indexRoute('/agencies/:feedId/:agencyId/routes', 'AgencyRoutes', 'Routes of an agency', agencyRoutesOf),
];

function allAgencies(graph: Graph) {
  return graph.agenciesSync(graph.list('agencies'));
}

/**
 * The feed with this id in entities, or else with this id in feed_info.txt. Without that file only the id is known: a feed
 * that is listed is also found.
 */
function feed(graph: Graph, { path }: IndexRequest) {
  const feeds = graph.feedsSync(graph.list('feeds'));
  const found = feeds.find(({ id }) => id === path.feedId) ?? feeds.find(({ infoId }) => infoId === path.feedId);
  if (found === undefined) throw new EntityNotFound();
  return presentFeed(found);
}

function agency(graph: Graph, { feedId, agencyId }: IndexRequest['path']) {
  return only(graph.agenciesSync(Uint32Array.of(locate(graph, 'agencies', `${feedId}:${agencyId}`))));
}

function agencyRoutesOf(graph: Graph, { path, query }: IndexRequest) {
  const owner = agency(graph, path);
  const present = query.value(EVERYWHERE.detail) ? presentRoute : presentRouteShort;
  const routes = relatedTo(graph, 'agencyRoutes', owner.index);
  return inChunks<object>(routes, (chunk) => graph.routesSync(chunk).map((route) => present(route, owner)));
}
