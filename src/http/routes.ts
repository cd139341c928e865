/** Every resource of the interface: one row per method and path, relative to the mount. */

import { alertRoutes } from './alerts.js';
import { analystTileRoutes } from './analyst-tile.js';
import { bikeRentalRoutes } from './bike-rental.js';
import { buildReportRoutes } from './build-report.js';
import { geocodeRoutes } from './geocode.js';
import { graphqlRoutes } from './graphql-routes.js';
import { indexRoutes } from './index/index.js';
import { inspectorRoutes } from './inspector.js';
import { isochroneRoutes } from './isochrone.js';
import { isochroneOldRoutes } from './isochrone-old.js';
import { jobRoutes } from './jobs.js';
import { legendRoutes } from './legend.js';
import { matrixRoutes } from './matrix.js';
import { openApiRoutes } from './openapi.js';
import { planRoutes } from './plan.js';
import { pointSetRoutes } from './pointsets.js';
import { profileRoutes } from './profile.js';
import { repeatedRaptorRoutes } from './repeated-raptor.js';
import type { Route } from './route.js';
import { routerInfoRoutes } from './routers.js';
import { routersAdminRoutes } from './routers-admin.js';
import { scenarioRoutes } from './scenarios.js';
import { scriptingRoutes } from './scripting.js';
import { serverInfoRoutes } from './server-info.js';
import { simpleIsochroneRoutes } from './simple-isochrone.js';
import { surfaceRoutes } from './surfaces.js';
import { timeGridRoutes } from './timegrid.js';
import { updaterRoutes } from './updaters.js';
import { vectorTileRoutes } from './vector-tiles.js';
import { wadlRoutes } from './wadl.js';

/** The route table. */
export const ROUTES: readonly Route[] = [
  ...serverInfoRoutes,
  ...planRoutes,
  ...routerInfoRoutes,
  ...indexRoutes,
  ...graphqlRoutes,
  ...routersAdminRoutes,
  ...bikeRentalRoutes,
  ...updaterRoutes,
  ...buildReportRoutes,
  ...alertRoutes,
  ...geocodeRoutes,
  ...inspectorRoutes,
  ...vectorTileRoutes,
  ...scenarioRoutes,
  ...scriptingRoutes,
  ...isochroneRoutes,
  ...timeGridRoutes,
  ...surfaceRoutes,
  ...pointSetRoutes,
  ...legendRoutes,
  ...profileRoutes,
  ...repeatedRaptorRoutes,
  ...analystTileRoutes,
  ...matrixRoutes,
  ...jobRoutes,
  ...isochroneOldRoutes,
  ...simpleIsochroneRoutes,
  ...openApiRoutes(() => ROUTES),
  ...wadlRoutes(() => ROUTES),
];
