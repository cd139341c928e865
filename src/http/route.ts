/** A row of the route table. */

import type { Context } from 'koa';
import type { ServerConfig } from '../config/server-settings.js';
import type { HttpError } from '../http-error.js';
import type { AnswerName } from '../serialization/answers/index.js';
import type { HeaderName } from './answers/answer-headers.js';
import { JSON_ONLY } from './answers/negotiation.js';
import type { HandlerDeps } from './deps.js';
import type { ParameterSchema } from './params/parameter-schema.js';
import type { Query } from './params/query.js';

/** Role that a route requires. */
export type Role = 'ROUTERS';

/** Whether a search takes about a second, or may take much longer. */
export type SearchCost = 'search' | 'long search';

/** Whether a request runs a search, which counts towards the search capacity, or only looks something up. */
export type Cost = SearchCost | 'light';

/** Answers one request, whose query string is `query`: parse, resolve, call, respond. */
type Handler = (ctx: Context, deps: HandlerDeps, query: Query) => Promise<void> | void;

/** One method on one path. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path under the mount, with `:name` parameters, without a trailing slash. */
  readonly path: string;
  readonly handler: Handler;
  /** One line for the description of the interface. */
  readonly summary: string;
  /** Group in the description of the interface. */
  readonly tag: string;
  /**
   * The schema of a good JSON answer. `unquoted text` is a text without quotation marks that is labelled as JSON and
   * that clients of the interface compare as it is.
   */
  readonly answer?: AnswerName | 'unquoted text';
  /** In which case the answer is an unquoted text instead. */
  readonly unquotedText?: string;
  /** Media types of a good answer, from which the `Accept` header chooses; the default first. JSON when absent. */
  readonly produces?: readonly string[];
  /** The same, instead of `produces`, for an answer that does not depend on the `Accept` header. */
  readonly sends?: readonly string[];
  /** Headers of a good answer besides those that every good answer may have. */
  readonly headers?: readonly HeaderName[];
  /** In which case there is nothing to send (status 204). */
  readonly mayBeEmpty?: string;
  /** The form of refusals (400 and 404) that are labelled as JSON; without it, refusals are plain text. */
  readonly jsonRefusals?: AnswerName | 'unquoted text';
  /** Accepted media types of the body; any other is 415. */
  readonly consumes?: readonly string[];
  /** JSON Schema of a body in JSON, or of the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The reason when the configuration makes the server refuse every request of this route. */
  readonly refusal?: (config: ServerConfig) => HttpError | undefined;
  /** Who may call it; anyone when absent. */
  readonly role?: Role;
  /** The cost of a request, or how to compute it from the request; light when absent. */
  readonly cost?: Cost | ((ctx: Context) => Cost);
  /** The body is a file, which is streamed and has a limit of its own. */
  readonly upload?: boolean;
  /** Query parameters by their names: the handler reads them, and the description lists them. */
  readonly query?: Readonly<Record<string, ParameterSchema>>;
}

/** The media types from which the `Accept` header chooses; undefined where it has no influence. */
export function offersOf({ produces, sends }: Route): readonly string[] | undefined {
  return produces ?? (sends === undefined ? JSON_ONLY : undefined);
}

/** Rows with the members that all of them have. */
export function routesWith(
  common: Pick<Route, 'tag' | 'role'>,
  rows: ReadonlyArray<Omit<Route, 'tag'>>,
): readonly Route[] {
  return rows.map((row) => ({ ...common, ...row }));
}
