/** Sends GraphQL queries to the router that `startApp` serves as `default`. */

export const GRAPHQL_PATH = '/routers/default/index/graphql';
export const JSON_BODY = { 'Content-Type': 'application/json' };
