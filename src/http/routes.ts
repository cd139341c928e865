/** Every resource of the interface: one row per method and path, relative to the mount. */

import { alertRoutes } from './resources/alerts.js';
import { bikeRentalRoutes } from './resources/bike-rental.js';
import { openApiRoutes } from './resources/description/openapi.js';
import { wadlRoutes } from './resources/description/wadl.js';
import { geocodeRoutes } from './resources/geocode.js';
import { graphqlRoutes } from './resources/graphql/graphql-routes.js';
import { isochroneRoutes } from './resources/isochrone/isochrone.js';
import { isochroneOldRoutes } from './resources/isochrone/isochrone-old.js';
import { simpleIsochroneRoutes } from './resources/isochrone/simple-isochrone.js';
import { timeGridRoutes } from './resources/isochrone/timegrid.js';
import { jobRoutes } from './resources/jobs/jobs.js';
import { matrixRoutes } from './resources/matrix.js';
import { planRoutes } from './resources/plan/plan.js';
import { profileRoutes } from './resources/profile/profile.js';
import { repeatedRaptorRoutes } from './resources/profile/repeated-raptor.js';
import { buildReportRoutes } from './resources/routers/build-report.js';
import { routerInfoRoutes } from './resources/routers/routers.js';
import { routersAdminRoutes } from './resources/routers/routers-admin.js';
import { updaterRoutes } from './resources/routers/updaters.js';
import { scenarioRoutes } from './resources/scenarios.js';
import { scriptingRoutes } from './resources/scripting/scripting.js';
import { serverInfoRoutes } from './resources/server-info.js';
import { pointSetRoutes } from './resources/surfaces/pointsets.js';
import { surfaceRoutes } from './resources/surfaces/surfaces.js';
import { analystTileRoutes } from './resources/tiles/analyst-tile.js';
import { inspectorRoutes } from './resources/tiles/inspector.js';
import { legendRoutes } from './resources/tiles/legend.js';
import { vectorTileRoutes } from './resources/tiles/vector-tiles.js';
import { indexRoutes } from './resources/transit-index/transit-index.js';
import type { Route } from './route.js';

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
