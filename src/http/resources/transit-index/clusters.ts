/** /clusters, /flexAreas, and /services, which has nothing */

import type { Graph } from '../../../native/types.js';
import { presentCluster, presentPolyline } from '../../../serialization/index-entities.js';
import type { Route } from '../../route.js';
import { inChunks, locate, only } from './entities.js';
import { EVERYWHERE, IndexError, type IndexRequest, indexRoute } from './index-route.js';
import { writtenList } from './list-cache.js';

/** The answer for any service, word for word. */
const NO_SERVICES = 'NONE';
const SERVICES_SUMMARY = `The text \`${NO_SERVICES}\`: services are not part of the index`;

export const clusterRoutes: readonly Route[] = [
  indexRoute('/clusters', 'Clusters', 'All clusters of stops', clusters),
  indexRoute('/clusters/:clusterId', 'Cluster', 'One cluster with its stops', (graph, { path }) =>
    only(detailed(graph, Uint32Array.of(locate(graph, 'clusters', path.clusterId ?? '')))),
  ),
  indexRoute('/flexAreas', 'Ids', 'Ids of the areas of flexible service', (graph) =>
    graph.flexAreasSync(graph.list('flexAreas')).map(({ id }) => id),
  ),
  indexRoute('/flexAreas/:areaId', 'FlexArea', 'Boundary of an area of flexible service', flexArea),
  indexRoute('/services', 'unquoted text', SERVICES_SUMMARY, () => NO_SERVICES),
  indexRoute('/services/:serviceId', 'unquoted text', SERVICES_SUMMARY, () => NO_SERVICES),
];

function clusters(graph: Graph, { query, routerGraph }: IndexRequest) {
  const each = (present: (chunk: Uint32Array) => readonly unknown[]) => inChunks(graph.list('clusters'), present);
  return query.value(EVERYWHERE.detail)
    ? writtenList(routerGraph, 'clusters in detail', () => each((chunk) => detailed(graph, chunk)))
    : writtenList(routerGraph, 'clusters', () =>
        each((chunk) => graph.clustersSync(chunk).map((cluster) => presentCluster(cluster))),
      );
}

function detailed(graph: Graph, indices: Uint32Array) {
  const members = graph.relatedSync('clusterStops', indices);
  const stops = graph.stopsSync(members.values);
  return graph
    .clustersSync(indices)
    .map((cluster, i) => presentCluster(cluster, stops.slice(members.offsets[i], members.offsets[i + 1])));
}

/** An unknown area is answered with an empty body. */
function flexArea(graph: Graph, { path }: IndexRequest) {
  const [index = -1] = graph.findSync('flexAreas', [path.areaId ?? '']);
  if (index < 0) throw new IndexError(404, '');
  const [boundary = { points: '', length: 0 }] = graph.flexAreaBoundariesSync(Uint32Array.of(index));
  return { areaId: path.areaId, polygon: presentPolyline(boundary) };
}
