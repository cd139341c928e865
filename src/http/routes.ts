/** Every resource of the interface: one row per method and path, relative to the mount. */

import { graphqlRoutes } from './graphql.js';
import { indexRoutes } from './index/index.js';
import { openApiRoutes } from './openapi.js';
import { planRoutes } from './plan.js';
import type { Route } from './route.js';
import { routerInfoRoutes } from './routers.js';
import { routersAdminRoutes } from './routers-admin.js';
import { serverInfoRoutes } from './server-info.js';

/** The route table. */
export const ROUTES: readonly Route[] = [
  ...serverInfoRoutes,
  ...planRoutes,
  ...routerInfoRoutes,
  ...indexRoutes,
  ...graphqlRoutes,
  ...routersAdminRoutes,
  ...openApiRoutes(() => ROUTES),
];
