/** /routers/{routerId}/index/graphql: the transit index and plans as a graph of types, and a page to try it. */

import { readFile } from 'node:fs/promises';
import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { quoted } from '../../../quoted.js';
import { allowPage } from '../../answers/page-policy.js';
import type { HandlerDeps } from '../../deps.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import { routesWith } from '../../route.js';

const PATH = '/routers/:routerId/index/graphql';
const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/** A query in JSON. */
const BODY = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'string' },
    variables: { type: 'object' },
    operationName: { type: 'string' },
  },
};

export const graphqlRoutes = routesWith({ tag: 'Transit index' }, [
  {
    method: 'POST',
    path: PATH,
    handler: answer,
    summary: 'Answer a GraphQL query',
    answer: 'GraphqlAnswer',
    jsonRefusals: 'GraphqlAnswer',
    consumes: ['application/json', 'application/graphql'],
    body: BODY,
    produces: JSON_TYPES,
  },
  {
    method: 'POST',
    path: `${PATH}/batch`,
    handler: async (ctx, deps) => (await import('./graphql.js')).answerBatch(ctx, deps),
    summary: 'Answer several GraphQL queries, with one state of live data',
    answer: 'GraphqlBatchAnswer',
    consumes: ['application/json'],
    body: { type: 'array', items: { ...BODY, properties: { id: {}, ...BODY.properties } } },
  },
  {
    method: 'GET',
    path: PATH,
    handler: (ctx, deps) => (ctx.state.mediaType === 'text/html' ? frontPage(ctx) : answer(ctx, deps)),
    summary: 'Answer a GraphQL query, or show a page to write one',
    answer: 'GraphqlAnswer',
    jsonRefusals: 'GraphqlAnswer',
    produces: [...JSON_TYPES, 'text/html'],
    query: parameters({
      query: parameter.text('The query'),
      variables: parameter.text('JSON object'),
      operationName: parameter.text('Operation to run when the query has several'),
    }),
  },
  {
    method: 'GET',
    path: `${PATH}/page/:file`,
    handler: (ctx) => page(ctx, ctx.params.file),
    summary: 'Scripts and styles of the page',
    produces: ['text/javascript', 'text/css'],
  },
]);

/** The library, which has a hundred files, is loaded with the first query. */
async function answer(ctx: Context, deps: HandlerDeps): Promise<void> {
  const graphql = await import('./graphql.js');
  await graphql.answer(ctx, deps);
}

/** Files of the page and their media types. */
const PAGE_FILES: Readonly<Record<string, string>> = {
  'page.html': 'text/html',
  'page.css': 'text/css',
  'page.js': 'text/javascript',
  'completion.js': 'text/javascript',
  'explorer.js': 'text/javascript',
  'history.js': 'text/javascript',
  'schema.js': 'text/javascript',
};
const files = new Map<string, Promise<Buffer>>();

/** The page itself. Its links are relative to an address without a slash at the end. */
function frontPage(ctx: Context): Promise<void> | void {
  if (!ctx.path.endsWith('/')) return page(ctx, 'page.html');
  ctx.redirect(ctx.path.replace(/\/+$/, '') + ctx.search);
}

/** A file of the page; `scripts/copy-files.mjs` copies it beside this module. */
async function page(ctx: Context, name: string): Promise<void> {
  const type = Object.hasOwn(PAGE_FILES, name) ? PAGE_FILES[name] : undefined;
  if (type === undefined) throw new HttpError(404, `the page has no file ${quoted(name)}\n`);
  const content = files.get(name) ?? readFile(new URL(`./page/${name}`, import.meta.url));
  files.set(name, content);
  allowPage(ctx);
  ctx.body = await content;
  ctx.set('Content-Type', `${type}; charset=utf-8`);
}
