/** Answers of /routers/{routerId}/index/graphql. Loaded with the first query, because it loads the whole library. */

import { once } from 'node:events';
import { type DocumentNode, type ExecutionResult, GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import { createHandler, type RequestParams, type Response } from 'graphql-http';
import type { Context } from 'koa';
import { Allowance, type Grants, SlowClient } from '../../../graphql/allowance.js';
import { fetchingError, type SentError, validationError } from '../../../graphql/errors.js';
import { GraphReader } from '../../../graphql/graph-reader.js';
import { QueryChecker } from '../../../graphql/query.js';
import type { Root } from '../../../graphql/root.js';
import { createSchema } from '../../../graphql/schema.js';
import { StreamedLists } from '../../../graphql/streamed-lists.js';
import { typedVariables } from '../../../graphql/variables.js';
import { BusyError, HttpError } from '../../../http-error.js';
import type { Graph } from '../../../native/types.js';
import type { Router } from '../../../registry/router.js';
import { jsonSlices } from '../../../serialization/sliced-json.js';
import { firstTurn } from '../../../turns.js';
import { type BegunAnswer, begin, sendingItself } from '../../answers/long-answer.js';
import type { HandlerDeps } from '../../deps.js';
import { PLAN } from '../../params/descriptions.js';
import { clientGone } from '../../request/client-gone.js';
import { runSearches } from '../../request/searches.js';
import { withSnapshots } from '../../request/snapshots.js';
import { planTrip } from './graphql-plan.js';
import { type BatchedQuery, batchRequest, graphqlRequest } from './graphql-request.js';

/** Status in the log of requests whose client has left. */
const CLIENT_LEFT = 499;

/** Errors of one answer. */
const MOST_ERRORS = 100;

/** One query while the library handles it. */
interface Exchange {
  readonly params: RequestParams;
  readonly root: Root;
  /** The media type of the answer. */
  readonly mediaType: string;
  readonly report: (error: unknown) => void;
  /** The answer to a query that turned out to be too expensive while it ran. */
  refusal?: Response;
  /** The rest of a long answer, which follows the body. */
  rest?: AsyncGenerator<Buffer>;
}

const schema = await createSchema(Object.values(PLAN));
const checker = new QueryChecker(schema);

const handler = createHandler<unknown, Exchange>({
  parseRequestParams: ({ context }) => context.params,
  onSubscribe: async ({ context: { root, mediaType } }, { query, operationName, variables }) => {
    const { pace } = root.reader.allowance;
    const checked = await checker.check(query, () => pace.turn(undefined));
    if ('errors' in checked) return refused(checked.errors, mediaType);
    const { document } = checked;
    const chosen = chosenOperation(document, operationName);
    if (chosen && !schema.getRootType(chosen.operation)) return refused([impossible(chosen)], mediaType);
    const name = chosen?.name?.value;
    const variableValues = chosen && variables && typedVariables(chosen, variables);
    return { schema, document, operationName: name, variableValues, contextValue: root as never, rootValue: root };
  },
  onOperation: async ({ context }, _args, result) => {
    if (!result.data) return refused((result.errors ?? []).map(validationError), context.mediaType);
    const { held, rest } = await begin(jsonSlices(sentResult(result, context)));
    context.rest = rest;
    const headers = { 'Content-Type': context.mediaType };
    return context.refusal ?? [held.toString(), { status: 200, statusText: 'OK', headers }];
  },
});

/** The operation with this name, or the first one if there is none with it, as clients of the interface expect. */
function chosenOperation({ definitions }: DocumentNode, wanted: unknown): OperationDefinitionNode | undefined {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.find(({ name }) => name?.value === wanted) ?? operations[0];
}

/** The library would refuse mutations and subscriptions in forms of its own, subscriptions with status 200. */
function impossible(operation: OperationDefinitionNode): SentError {
  const message = `Schema is not configured to execute ${operation.operation} operation.`;
  return validationError(new GraphQLError(message, { nodes: operation }));
}

/** The answer to a query that cannot run. A query that ran has status 200, even if some of its fields failed. */
function refused(errors: readonly SentError[], mediaType: string): Response {
  const headers = { 'Content-Type': mediaType };
  return [JSON.stringify({ errors }), { status: 400, statusText: 'Bad Request', headers }];
}

/** Answers one query. */
export function answer(ctx: Context, deps: HandlerDeps): Promise<void> {
  return answering(ctx, deps, graphqlRequest, async (params, running) => {
    const { status, headers, ...begun } = await run(ctx, params, running);
    ctx.status = status;
    ctx.set(headers);
    return begun;
  });
}

/** Answers queries that were sent together. */
export function answerBatch(ctx: Context, deps: HandlerDeps): Promise<void> {
  return answering(ctx, deps, batchRequest, (queries, running) => {
    ctx.set('Content-Type', String(ctx.state.mediaType));
    return begin(batchParts(ctx, queries, running));
  });
}

/** The answers of a batch, each with the id of its query. The queries run one after the other, with one allowance. */
async function* batchParts(
  ctx: Context,
  queries: readonly BatchedQuery[],
  running: Running,
): AsyncGenerator<Buffer, void> {
  const { allowance } = running;
  let before = '[';
  for (const { id, params } of queries) {
    allowance.startClock();
    const { held, rest } = await run(ctx, params, running);
    allowance.stopClock();
    const named = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
    yield Buffer.concat([Buffer.from(`${before}{${named}"payload":`), held]);
    if (rest) yield* rest;
    allowance.release(0);
    before = '},';
  }
  yield Buffer.from(queries.length === 0 ? '[]' : '}]');
}

/** Reads a request, does its `work` with what that needs, and sends the answer. */
function answering<T>(
  ctx: Context,
  deps: HandlerDeps,
  read: (ctx: Context) => Promise<T>,
  work: (sent: T, running: Running) => Promise<BegunAnswer>,
): Promise<void> {
  return sendingItself(ctx, async (send) => {
    await deps.registry.use(ctx.params.routerId, async (router) => {
      const sent = await read(ctx);
      const gone = clientGone(ctx);
      if (!(await firstTurn(deps.config.maxQueueWaitMs, gone)))
        throw new BusyError('too many queries are waiting\n', 1);
      const allowance = new Allowance(grants(deps));
      const leave = () => allowance.end(new HttpError(CLIENT_LEFT, 'the client closed the connection\n'));
      gone.addEventListener('abort', leave, { once: true });
      try {
        await withSnapshots(async (snapshotOf) => {
          const present = snapshotOf(router.graph);
          const answer = await work(sent, { deps, router, present, snapshotOf, allowance });
          ctx.set('Cache-Control', 'no-cache');
          ctx.state.untagged = true;
          await send(answer);
        });
      } finally {
        allowance.end(new GraphQLError('the query has ended'));
      }
    });
  });
}

/** Few large queries run at once, and their searches wait for their turn among all others. */
function grants(deps: HandlerDeps): Grants {
  return {
    search: (work, over) => runSearches(deps, 'search', over, (time) => work(time.options)),
    admitLarge: (over) =>
      new Promise((admitted, refused) => {
        const untilOver = async () => {
          admitted();
          if (!over.aborted) await once(over, 'abort');
        };
        deps.largeQueries.run(untilOver, over).catch(refused);
      }),
  };
}

/** What the queries of a request run with. */
interface Running {
  readonly deps: HandlerDeps;
  readonly router: Router;
  /** The graph with its present live data. */
  readonly present: Graph;
  readonly snapshotOf: (graph: Graph) => Graph;
  readonly allowance: Allowance;
}

/** The answer to one query. */
interface Answered extends BegunAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
}

async function run(ctx: Context, params: RequestParams, running: Running): Promise<Answered> {
  const { deps, present, allowance } = running;
  const reader = new GraphReader(present, Math.floor(Date.now() / 1000), allowance);
  const mediaType = String(ctx.state.mediaType);
  const context: Exchange = {
    params,
    root: {
      reader,
      streamedLists: new StreamedLists(),
      plan: (parameters, options) => planTrip(parameters, running, options),
    },
    mediaType,
    report: (error) => deps.logger.error({ err: error, requestId: ctx.state.requestId }, 'field failed'),
  };
  const { method, url, req: raw } = ctx;
  const headers = { ...ctx.headers, accept: mediaType };
  const [body, { status, headers: answered = {} }] = await Promise.race([
    handler({ method, url, headers, body: null, raw, context }),
    refusedIn(ctx, context, allowance.exceeded),
  ]);
  return { status, headers: answered, held: Buffer.from(body ?? ''), rest: context.rest };
}

/** The answer to a query that turned out to be too large while it ran: the same as for one refused before it ran. */
async function refusedIn(ctx: Context, exchange: Exchange, exceeded: Promise<never>): Promise<Response> {
  return exceeded.catch((error: unknown) => {
    const reason = error instanceof GraphQLError ? error : new GraphQLError((error as Error).message.trim());
    exchange.root.streamedLists.end(reason);
    if (error instanceof SlowClient) ctx.res.destroy();
    if (!(error instanceof GraphQLError)) throw error;
    exchange.refusal = refused([validationError(error)], exchange.mediaType);
    exchange.rest = undefined;
    return exchange.refusal;
  });
}

/**
 * The result as it is written: the errors come after the data, because very long lists are made while it is written.
 */
function sentResult({ data, errors = [] }: ExecutionResult, { root, report }: Exchange) {
  const { streamedLists } = root;
  streamedLists.place(data);
  root.reader.allowance.stopClock();
  const sent: SentError[] = [];
  return {
    data,
    get errors(): readonly SentError[] | undefined {
      const all = [...errors, ...streamedLists.errors].slice(0, MOST_ERRORS);
      for (const error of all.slice(sent.length)) sent.push(fetchingError(error, report));
      const last = streamedLists.exceeded === undefined ? [] : [fetchingError(streamedLists.exceeded, report)];
      return sent.length + last.length === 0 ? undefined : [...sent, ...last];
    },
  };
}
