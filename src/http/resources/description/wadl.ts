/** The route table as a WADL document, for clients that generate their calls from one. */

import type { Context } from 'koa';
import { PRODUCT } from '../../../product.js';
import type { HandlerDeps } from '../../deps.js';
import type { ParameterSchema, ValueSchema } from '../../params/parameter-schema.js';
import type { Route } from '../../route.js';
import { goodTypes } from './described-answers.js';
import { operationId } from './openapi.js';

const MEDIA_TYPES = ['application/vnd.sun.wadl+xml', 'application/xml'] as const;
const NAMESPACE = 'http://wadl.dev.java.net/2009/02';

/** Stands for the address of all paths; no other text of the document contains it. */
const BASE_MARK = '[base]';

/** XML Schema types of the parameters' types. */
const XML_TYPES: Readonly<Record<ValueSchema['type'], string>> = {
  string: 'xs:string',
  integer: 'xs:int',
  number: 'xs:double',
  boolean: 'xs:boolean',
};

/** Members that begin with `@` become attributes, lists become repeated elements. */
const XML_OPTIONS = {
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  format: true,
};

/** The row for this description; `routes` is called when the table is needed. */
export function wadlRoutes(routes: () => readonly Route[]): readonly Route[] {
  /** The document with a mark for the address, which clients choose; making it takes 10 ms of the event loop. */
  let document: Promise<string> | undefined;
  const markedDocument = () => {
    document ??= describeAsWadl(routes(), BASE_MARK).catch((error) => {
      // The next request tries again.
      document = undefined;
      throw error;
    });
    return document;
  };
  const handler = async (ctx: Context, { config }: HandlerDeps) => {
    const scheme = ctx.state.origin.https ? 'https' : 'http';
    const base = `${scheme}://${ctx.get('Host')}${config.mount}/`;
    ctx.body = (await markedDocument()).replace(BASE_MARK, () => escaped(base));
    ctx.set('Content-Type', ctx.state.mediaType);
  };
  const summary = 'This description as WADL';
  return [{ method: 'GET', path: '/application.wadl', handler, summary, tag: 'Server', produces: MEDIA_TYPES }];
}

/** The WADL document of a route table; `base` is the address of all paths, with a slash at its end. */
export async function describeAsWadl(routes: readonly Route[], base: string): Promise<string> {
  const { XMLBuilder } = await import('fast-xml-parser');
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  const application = {
    '@xmlns': NAMESPACE,
    '@xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
    doc: { '@title': `Trestle ${PRODUCT.version}` },
    grammars: '',
    resources: { '@base': base, resource: [...byPath].map(([path, rows]) => resource(path, rows)) },
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLBuilder(XML_OPTIONS).build({ application })}`;
}

/** A text as the value of an attribute. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function resource(path: string, rows: readonly Route[]): object {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return {
    '@path': path.replace(/^\/(?=.)/, '').replace(/:(\w+)/g, '{$1}'),
    param: names.map((name) => ({ '@name': name, '@style': 'template', '@type': 'xs:string', '@required': true })),
    method: rows.map(method),
  };
}

function method(route: Route): object {
  const { consumes = [] } = route;
  const query = Object.values(route.query ?? {});
  const requested = query.length + consumes.length > 0;
  return {
    '@id': operationId(route),
    '@name': route.method,
    doc: { '@title': route.summary },
    ...(requested ? { request: { param: query.map(queryParameter), representation: representations(consumes) } } : {}),
    response: { representation: representations(goodTypes(route)) },
  };
}

function representations(mediaTypes: readonly string[]): object[] {
  return mediaTypes.map((mediaType) => ({ '@mediaType': mediaType }));
}

function queryParameter({ name, description, schema, required, repeatable }: ParameterSchema): object {
  return {
    '@name': name,
    '@style': 'query',
    '@type': XML_TYPES[schema.type],
    ...(schema.default === undefined ? {} : { '@default': schema.default }),
    ...(required === true ? { '@required': true } : {}),
    ...(repeatable === true ? { '@repeating': true } : {}),
    doc: { '@title': description },
    option: (schema.enum ?? []).map((value) => ({ '@value': value })),
  };
}
