/** The answers of routes in the description of the interface. */

import type { ANSWERS } from '../../../serialization/answers/index.js';
import { HEADERS_OF_ALL_ANSWERS, HEADERS_OF_GOOD_ANSWERS, type HeaderName } from '../../answers/answer-headers.js';
import { JSON_ONLY } from '../../answers/negotiation.js';
import { offersOf, type Route } from '../../route.js';

/** The schemas of answers by their names. */
type Answers = typeof ANSWERS;

/** Schemas that have a title are listed once and referred to wherever they are used. */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  constructor(private readonly answers: Answers) {}

  /** The responses of a route by their statuses. */
  responsesOf(route: Route): object {
    const content = this.#contentOf(route.answer, goodTypes(route));
    const headers = headersOf([...HEADERS_OF_GOOD_ANSWERS, ...(route.headers ?? [])]);
    const unquotedText = route.unquotedText === undefined ? '' : `${route.unquotedText} `;
    const mayBeUnquoted = route.answer === 'unquoted text' || route.unquotedText !== undefined;
    const good = { description: mayBeUnquoted ? `Done; ${unquotedText}${UNQUOTED}` : 'Done', headers, content };
    const created = route.method === 'POST' || route.method === 'PUT';
    return {
      200: good,
      ...(created ? { 201: { ...good, description: 'Created or replaced' } } : {}),
      ...(route.mayBeEmpty === undefined
        ? {}
        : { 204: { description: route.mayBeEmpty, headers: headersOf(HEADERS_OF_GOOD_ANSWERS) } }),
      ...(route.method === 'GET' ? { 304: { description: "The client's copy is still valid", headers } } : {}),
      ...this.#refusals(route),
    };
  }

  #contentOf(answer: Route['answer'], mediaTypes: readonly string[]): object {
    const schema =
      answer === undefined || answer === 'unquoted text' ? undefined : this.#referred(this.answers[answer]);
    return contentOf(mediaTypes, (mediaType) => (isJson(mediaType) ? schema : undefined));
  }

  #refusals(route: Route): object {
    const { jsonRefusals, role, consumes, cost } = route;
    const offers = offersOf(route);
    const text = (description: string, own: readonly HeaderName[] = []) => ({
      description,
      headers: headersOf([...HEADERS_OF_ALL_ANSWERS, ...own]),
      content: contentOf(['text/plain'], () => undefined),
    });
    const jsonTypes = offers?.some(isJson) ? offers.filter(isJson) : JSON_ONLY;
    const json = jsonRefusals === undefined ? {} : this.#contentOf(jsonRefusals, jsonTypes);
    const tooMuch = () => {
      if (consumes !== undefined) return { 413: text('The body is too large, or it requests too much') };
      return cost === undefined ? {} : { 413: text('The answer would be larger than is allowed') };
    };
    // A change of routers may fail on this host and not on others.
    const shared = (route.headers ?? []).filter((name) => name === 'Trestle-Hosts');
    const either = (description: string) => ({
      ...text(jsonRefusals === 'unquoted text' ? `${description}; ${UNQUOTED}` : description, shared),
      content: { ...text('').content, ...json },
    });
    return {
      400: either('A parameter or the body cannot be understood'),
      ...(role === undefined
        ? {}
        : { 401: text('No or wrong credentials', ['WWW-Authenticate']), 403: text('The role is missing') }),
      404: either('Not found, or not enabled on this server'),
      ...(role === undefined ? {} : { 409: text('The server is configured otherwise, or already holds too much') }),
      ...(offers === undefined ? {} : { 406: text('None of the accepted media types is available') }),
      ...tooMuch(),
      ...(consumes === undefined ? {} : { 415: text('Unknown media type') }),
      429: text('Too many requests from this client', ['Retry-After']),
      503: text('Busy, or the graph is being loaded', ['Retry-After']),
      ...(cost === undefined ? {} : { 504: text('The searches took longer than the server allows') }),
    };
  }

  #referred(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.#referred(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, this.#referred(value)]));
    if (typeof members.title !== 'string') return members;
    this.schemas[members.title] ??= members;
    return { $ref: `#/components/schemas/${members.title}` };
  }
}

function headersOf(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Media types with their schemas. Client generators leave out operations with a body that they know nothing about. */
export function contentOf(mediaTypes: readonly string[], schemaOf: (mediaType: string) => unknown): object {
  const described = (mediaType: string) => {
    const schema = isText(mediaType) ? { type: 'string' } : (schemaOf(mediaType) ?? bytesOf(mediaType));
    return schema === undefined ? {} : { schema };
  };
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, described(mediaType)]));
}

function isText(mediaType: string): boolean {
  return /^text\/|[/+]xml$|\/(graphql|javascript)$/.test(mediaType);
}

/** The schema of what is neither text nor JSON. */
function bytesOf(mediaType: string): object | undefined {
  return isJson(mediaType) ? undefined : { type: 'string', format: 'binary' };
}

/** The description of a text without a schema. */
const UNQUOTED = 'an unquoted text, even where it is labelled as JSON';

/** Media types of a good answer. */
export function goodTypes(route: Route): readonly string[] {
  return offersOf(route) ?? route.sends ?? [];
}

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}
