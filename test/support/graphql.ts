/** Where the router that `startApp` serves as `default` takes GraphQL queries, and the headers of a query. */

export const GRAPHQL_PATH = '/routers/default/index/graphql';
export const JSON_BODY = { 'Content-Type': 'application/json' };
