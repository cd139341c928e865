/** Compares answers with the description of the interface. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describeInterface, operationId } from '../../src/http/resources/description/openapi.js';
import type { Route } from '../../src/http/route.js';
import { ROUTES } from '../../src/http/routes.js';

/** An answer that was received. */
export interface ReceivedAnswer {
  readonly method: string;
  /** Below the mount, with or without the query. */
  readonly target: string;
  readonly status: number;
  /** With parameters such as a charset. */
  readonly mediaType: string;
  readonly text: string;
  readonly headers?: Headers;
}

/** The differences from the description; empty for an answer that is as described. */
export type AnswerCheck = (answer: ReceivedAnswer) => string[];

/** Checks answers strictly: members that are not described are differences. */
export async function answerCheck(): Promise<AnswerCheck> {
  const document = closed(await describeInterface(ROUTES, '/otp')) as Described;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'interface', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  const validator = (id: string, schema: unknown) => {
    const known = compiled.get(id) ?? ajv.compile(withBase(schema) as object);
    compiled.set(id, known);
    return known;
  };
  const headers = headerCheck(document.components);
  return ({ method, target, status, mediaType, text, headers: sent }) => {
    const route = routeOf(method, target);
    if (route === undefined) return [`${method} ${target} is not described`];
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (described === undefined) return [`${operationId(route)}: ${status} is not described`];
    const wrong = sent === undefined ? [] : headers(described, sent);
    if (wrong.length > 0) return wrong.map((text) => `${operationId(route)} ${status}: ${text}`);
    const type = mediaType.split(';')[0] ?? '';
    if (text === '' && type === '') return [];
    const content = described.content?.[type];
    if (content === undefined) return [`${operationId(route)} ${status}: ${type} is not described`];
    if (!/json$/.test(type)) return [];
    const mayBeUnquoted = /unquoted text/.test(described.description);
    if (mayBeUnquoted && !isStructured(text)) return [];
    if (content.schema === undefined) return [`${operationId(route)} ${status}: JSON without a schema`];
    const validate = validator(`${operationId(route)} ${status} ${type}`, content.schema);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${operationId(route)}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** Whether a text is an object or a list in JSON. */
function isStructured(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Headers that are about connections, encodings, caches on the way, and what browsers may do with an answer. */
const OF_TRANSPORT =
  /^(connection|content-(encoding|length|type|security-policy)|cross-origin-.*|access-control-.*|date|keep-alive|referrer-policy|strict-transport-security|transfer-encoding|vary|x-content-type-options)$/i;

/** Compares the headers of an answer with those that are described for it. */
function headerCheck({ headers: all }: Components) {
  const ajv = new Ajv2020({ strict: false, coerceTypes: true });
  return ({ headers: described = {} }: DescribedResponse, sent: Headers): string[] => {
    const names = new Map(Object.keys(described).map((name) => [name.toLowerCase(), name]));
    const extra = [...sent.keys()].filter((name) => !names.has(name) && !OF_TRANSPORT.test(name));
    const wrong = [...names.values()].flatMap((name) => {
      const { required = false, schema } = all[name] ?? { schema: {} };
      const value = sent.get(name);
      if (value === null) return required ? [`${name} is missing`] : [];
      return ajv.validate({ properties: { value: schema } }, { value })
        ? []
        : [`${name}: ${value} ${ajv.errorsText()}`];
    });
    return [...extra.map((name) => `${name} is not described`), ...wrong];
  };
}

/** An answer of the server as it is compared. */
export async function received(response: Response, method: string, target: string): Promise<ReceivedAnswer> {
  const { status } = response;
  const headers = new Headers(response.headers);
  // Only servers of tests say which process answers.
  headers.delete('X-Process');
  return { method, target, status, mediaType: headers.get('Content-Type') ?? '', text: await response.text(), headers };
}

/** The differences from the description of a JSON body; empty for a body that is as described. */
export function bodyDifferences(route: Route | undefined, body: string | undefined): string[] {
  if (route?.body === undefined || body === undefined) return [];
  const ajv = new Ajv2020({ strict: false });
  return ajv.validate(route.body, JSON.parse(body)) ? [] : [ajv.errorsText()];
}

interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<number, DescribedResponse> }>>;
  readonly components: Components;
}

interface Components {
  readonly headers: Record<string, { required?: boolean; schema: { type: string } }>;
}

interface DescribedResponse {
  readonly description: string;
  readonly headers?: Record<string, { $ref: string }>;
  readonly content?: Record<string, { schema?: unknown }>;
}

/** The row that answers a request; rows come in the order in which they are tried. */
export function routeOf(method: string, target: string): Route | undefined {
  const [path = ''] = target.split('?');
  return ROUTES.find((route) => {
    if (route.method !== method) return false;
    return new RegExp(`^${route.path.replace(/\./g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`).test(path);
  });
}

/** Objects with members have no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isObject = members.type === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isObject ? { ...members, additionalProperties: false } : members;
}

/** References inside the description lead to the schema that `ajv` knows. */
function withBase(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#/', '"$ref":"interface#/'));
}
