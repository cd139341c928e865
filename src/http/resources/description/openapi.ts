/** The description of the interface, made from the same route table that validates requests. */

import { readFile } from 'node:fs/promises';
import type { Context } from 'koa';
import { PRODUCT, PRODUCT_NAME } from '../../../product.js';
import { HEADERS } from '../../answers/answer-headers.js';
import { JSON_ONLY } from '../../answers/negotiation.js';
import { allowPage } from '../../answers/page-policy.js';
import { respondBytes } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import type { ParameterSchema } from '../../params/parameter-schema.js';
import type { Route } from '../../route.js';
import { Components, contentOf, isJson } from './described-answers.js';

const TAG = 'Server';

/** The rows for the descriptions; `routes` is called when a description is needed. */
export function openApiRoutes(routes: () => readonly Route[]): readonly Route[] {
  /** Documents by mount: making one takes 10 ms of the event loop. */
  const documents = new Map<string, Promise<Buffer>>();
  const documentBelow = (mount: string) => {
    const known = documents.get(mount);
    if (known !== undefined) return known;
    const document = describeInterface(routes(), mount).then((made) => Buffer.from(JSON.stringify(made)));
    documents.set(mount, document);
    // The next request tries again.
    document.catch(() => documents.delete(mount));
    return document;
  };
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      handler: async (ctx: Context, { config }: HandlerDeps) =>
        respondBytes(ctx, 'application/json', await documentBelow(config.mount)),
      summary: 'This description, OpenAPI 3.1',
      answer: 'InterfaceDescription',
      sends: JSON_ONLY,
      tag: TAG,
    },
    pageFile('/docs', 'docs.html', 'text/html', 'This description as a page'),
    pageFile('/docs.js', 'docs.js', 'text/javascript', 'Script of the page'),
  ];
}

/** A file of the page; `scripts/copy-files.mjs` copies it beside this module. */
function pageFile(path: string, name: string, mediaType: string, summary: string): Route {
  let content: Promise<Buffer> | undefined;
  const handler = async (ctx: Context) => {
    content ??= readFile(new URL(`./docs/${name}`, import.meta.url));
    allowPage(ctx);
    ctx.body = await content;
    ctx.set('Content-Type', `${mediaType}; charset=utf-8`);
  };
  return { method: 'GET', path, handler, summary, tag: TAG, produces: [mediaType] };
}

/** The OpenAPI 3.1 document of a route table below `mount`. */
export async function describeInterface(routes: readonly Route[], mount: string): Promise<object> {
  const { ANSWERS } = await import('../../../serialization/answers/index.js');
  const components = new Components(ANSWERS);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT_NAME,
      version: PRODUCT.version,
      description: PRODUCT.description,
      license: { name: PRODUCT.license, identifier: PRODUCT.license },
    },
    servers: [{ url: mount === '' ? '/' : mount }],
    // What operations without a role need; others say it themselves.
    security: [],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      headers: HEADERS,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(route: Route, components: Components): object {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.tag],
    parameters: [...inPath, ...Object.values(route.query ?? {}).map(queryParameter)],
    ...(route.consumes === undefined ? {} : { requestBody: requestBody(route.consumes, route.body) }),
    ...(route.role === undefined ? {} : { security: [{ basic: [] }, { bearer: [] }] }),
    responses: components.responsesOf(route),
  };
}

/** Name of a row among all descriptions: `get-routers-routerId-plan`. */
export function operationId({ method, path }: Route): string {
  return [method.toLowerCase(), ...path.split(/[/:.]+/).filter((part) => part !== '')].join('-');
}

function queryParameter({ name, description, schema, required = false, repeatable }: ParameterSchema): object {
  const described = repeatable ? { type: 'array', items: schema } : schema;
  return { name, in: 'query', description, required, schema: described, ...(repeatable ? { explode: true } : {}) };
}

function requestBody(mediaTypes: readonly string[], schema: Route['body'] = {}): object {
  const isMadeOfMembers = (mediaType: string) => isJson(mediaType) || mediaType.startsWith('multipart/');
  return { required: true, content: contentOf(mediaTypes, (type) => (isMadeOfMembers(type) ? schema : undefined)) };
}
