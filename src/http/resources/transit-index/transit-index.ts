/** Everything below /routers/{routerId}/index but GraphQL. */

import type { Route } from '../../route.js';
import { agencyRoutes } from './agencies.js';
import { clusterRoutes } from './clusters.js';
import { patternRoutes } from './patterns.js';
import { routeRoutes } from './routes.js';
import { stopTimesRoutes } from './stop-times.js';
import { stopRoutes } from './stops.js';
import { tripRoutes } from './trips.js';

export const indexRoutes: readonly Route[] = [
  ...agencyRoutes,
  ...stopRoutes,
  ...stopTimesRoutes,
  ...routeRoutes,
  ...tripRoutes,
  ...patternRoutes,
  ...clusterRoutes,
];
