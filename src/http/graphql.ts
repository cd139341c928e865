/** Answers of /routers/{routerId}/index/graphql. Loaded with the first query: it brings all of the library along. */

import { once } from 'node:events';
import { type DocumentNode, type ExecutionResult, GraphQLError, Kind } from 'graphql';
import { createHandler, type Request, type Response } from 'graphql-http';
import type { Context } from 'koa';
import { Allowance, type Grants, SlowClient } from '../graphql/allowance.js';
import { fetchingError, type SentError, validationError } from '../graphql/errors.js';
import { LaterLists } from '../graphql/later-lists.js';
import type { PlannedTrip } from '../graphql/plan-entities.js';
import { QueryChecker } from '../graphql/query.js';
import type { Root } from '../graphql/root.js';
import { createSchema } from '../graphql/schema.js';
import { Session } from '../graphql/session.js';
import type { Graph, SearchOptions } from '../native/types.js';
import type { Router } from '../registry/router.js';
import { type PlanAnswer, presentPlanAnswer } from '../serialization/plan.js';
import { jsonSlices } from '../serialization/sliced-json.js';
import { firstTurn } from '../serialization/turns.js';
import type { AppDeps } from '../server/deps.js';
import { clientGone } from './client-gone.js';
import { BusyError, HttpError } from './errors.js';
import { type GraphqlRequest, graphqlRequest } from './graphql-request.js';
import { begin, type Send, sendingItself } from './long-answer.js';
import { BadParameter } from './params/bad-parameter.js';
import { PLAN_PARAMETERS } from './params/descriptions.js';
import { withPlanLimits } from './params/plan-limits.js';
import { Query } from './params/query.js';
import { routerDefaults } from './params/router-defaults.js';
import { routingRequest } from './params/routing-request.js';
import { runSearches } from './searches.js';
import { withSnapshots } from './snapshots.js';
import { underScenario } from './use-router.js';

/** Status in the log of requests whose client did not wait. */
const CLIENT_LEFT = 499;

/** Errors of one answer. */
const MOST_ERRORS = 100;

/** What one request leaves behind while the library handles it. */
interface Exchange {
  readonly root: Root;
  readonly report: (error: unknown) => void;
  /** The outcome of a query that ran. */
  result?: ExecutionResult;
  /** Why the query did not run. */
  refusal?: readonly SentError[];
}

const schema = await createSchema(PLAN_PARAMETERS);
const checker = new QueryChecker(schema);

/** The library reads the request and runs the query; the answer is written here, in slices. */
const handler = createHandler<unknown, Exchange>({
  schema,
  context: (request) => request.context.root as never,
  rootValue: undefined,
  onSubscribe: async (request, params) => {
    const { pace } = request.context.root.session.allowance;
    const checked = await checker.check(params.query, () => pace.turn(undefined));
    if ('errors' in checked) {
      request.context.refusal = checked.errors;
      return [null, { status: 400, statusText: 'Bad Request' }];
    }
    const { root } = request.context;
    return {
      schema,
      document: checked.document,
      operationName: chosenOperation(checked.document, params.operationName),
      variableValues: params.variables,
      contextValue: root as never,
      rootValue: root,
    };
  },
  onOperation: (request, _args, result) => {
    request.context.result = result;
    return [null, { status: 200, statusText: 'OK' }];
  },
});

/** The operation of this name; as clients of the interface expect, the first one when there is none of it. */
function chosenOperation({ definitions }: DocumentNode, asked: unknown): string | undefined {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const chosen = operations.find(({ name }) => name?.value === asked) ?? operations[0];
  return chosen?.name?.value;
}

/** Answers one query. */
export function answer(ctx: Context, deps: AppDeps): Promise<void> {
  return sendingItself(ctx, async (send) => {
    await deps.registry.use(ctx.params.routerId, async (router) => {
      const params = await graphqlRequest(ctx);
      const gone = clientGone(ctx);
      if (!(await firstTurn(deps.config.maxQueueWaitMs, gone)))
        throw new BusyError('too many queries are waiting\n', 1);
      const allowance = new Allowance(grants(deps));
      const leave = () => allowance.end(new HttpError(CLIENT_LEFT, 'the client left\n'));
      gone.addEventListener('abort', leave, { once: true });
      try {
        await withSnapshots((snapshotOf) => run(ctx, params, { deps, router, snapshotOf, allowance, send }));
      } finally {
        allowance.end(new GraphQLError('the query is over'));
      }
    });
  });
}

/** Few large queries run at once, and their searches wait among all others for their turn. */
function grants(deps: AppDeps): Grants {
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

/** What one query runs with. */
interface Running {
  readonly deps: AppDeps;
  readonly router: Router<Graph>;
  readonly snapshotOf: (graph: Graph) => Graph;
  readonly allowance: Allowance;
  readonly send: Send;
}

async function run(ctx: Context, params: GraphqlRequest, running: Running): Promise<void> {
  const { deps, router, snapshotOf, allowance, send } = running;
  const session = new Session(snapshotOf(router.graph), Math.floor(Date.now() / 1000), allowance);
  const planner = { deps, router, present: session.graph, snapshotOf };
  const exchange: Exchange = {
    root: {
      session,
      laterLists: new LaterLists(),
      plan: (parameters, options) => planTrip(parameters, { ...planner, options }),
    },
    report: (error) => deps.logger.error({ err: error, requestId: ctx.state.requestId }, 'field failed'),
  };
  const [complaint, { status }] = await Promise.race([
    handler(handled(ctx, params, exchange)),
    refusedIn(ctx, exchange, allowance.exceeded),
  ]);
  ctx.set('Content-Type', String(ctx.state.mediaType));
  ctx.set('Cache-Control', 'no-cache');
  ctx.state.passing = true;
  await write(ctx, exchange, { status, complaint: complaint ?? null, send });
}

/** The answer to a query that turned out to be too large while it ran: the same as if that had been seen before. */
async function refusedIn(ctx: Context, exchange: Exchange, exceeded: Promise<never>): Promise<Response> {
  return exceeded.catch((error: unknown) => {
    const reason = error instanceof GraphQLError ? error : new GraphQLError((error as Error).message.trim());
    exchange.root.laterLists.end(reason);
    if (error instanceof SlowClient) ctx.res.destroy();
    if (!(error instanceof GraphQLError)) throw error;
    exchange.refusal = [validationError(error)];
    return [null, { status: 400, statusText: 'Bad Request' }];
  });
}

/** The request as the library sees it: always a POST of parsed parameters. */
function handled(ctx: Context, params: object, context: Exchange): Request<unknown, Exchange> {
  const headers = { accept: String(ctx.state.mediaType), 'content-type': 'application/json' };
  const body = JSON.parse(JSON.stringify(params));
  return { method: 'POST', url: ctx.url, headers, body, raw: ctx.req, context };
}

/** How an exchange ends: what the library says of it, and the way out. */
interface Ending {
  readonly status: number;
  readonly complaint: string | null;
  readonly send: Send;
}

/** 200 for every query that ran, also when some of its fields failed; 400 for one that could not run. */
async function write(ctx: Context, exchange: Exchange, { status, complaint, send }: Ending): Promise<void> {
  const { result } = exchange;
  if (result?.data && exchange.refusal === undefined) {
    const begun = await begin(jsonSlices(sentResult(result, exchange)));
    if (exchange.refusal === undefined) {
      ctx.status = 200;
      await send(begun);
      return;
    }
  }
  ctx.status = Math.max(status, 400);
  const errors = exchange.refusal ?? result?.errors?.map(validationError);
  ctx.body = errors === undefined ? (complaint ?? '') : JSON.stringify({ errors });
}

/** The result as it is written: the errors after the data, as very long lists are made only then. */
function sentResult({ data, errors = [] }: ExecutionResult, { root, report }: Exchange) {
  const { laterLists } = root;
  laterLists.place(data);
  root.session.allowance.rest();
  const sent: SentError[] = [];
  return {
    data,
    get errors(): readonly SentError[] | undefined {
      const all = [...errors, ...laterLists.errors].slice(0, MOST_ERRORS);
      for (const error of all.slice(sent.length)) sent.push(fetchingError(error, report));
      const last = laterLists.exceeded === undefined ? [] : [fetchingError(laterLists.exceeded, report)];
      return sent.length + last.length === 0 ? undefined : [...sent, ...last];
    },
  };
}

/** What the plans of one query have in common. */
interface Planner {
  readonly deps: AppDeps;
  readonly router: Router<Graph>;
  /** The router's graph as the whole query sees it. */
  readonly present: Graph;
  readonly snapshotOf: (graph: Graph) => Graph;
  readonly options: SearchOptions;
}

/** Arguments are written as the query string of the plan resource, so that both mean the same. */
async function planTrip(parameters: Readonly<Record<string, unknown>>, planner: Planner): Promise<PlannedTrip> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== null) search.append(name, String(one));
  }
  const query = new Query(search.toString());
  const geoidElevation = query.boolean('geoidElevation') ?? false;
  const { outcome, graph } = await planOutcome(query, planner);
  const presented = presentPlanAnswer({ parameters: [], geoidElevation }, outcome);
  return { answer: { itineraries: [], ...presented.plan, error: presented.error }, graph };
}

async function planOutcome(
  query: Query,
  { deps, router, present, snapshotOf, options }: Planner,
): Promise<{ outcome: PlanAnswer; graph: Graph }> {
  const defaults = routerDefaults(router.config);
  try {
    const request = withPlanLimits(routingRequest(query, { clocks: router.graph, nowMs: Date.now(), defaults }));
    return await underScenario(deps, router, query, async ({ graph: asked }) => {
      const graph = asked === router.graph ? present : snapshotOf(asked);
      return { outcome: await graph.plan(request, options), graph };
    });
  } catch (error) {
    if (!(error instanceof BadParameter)) throw error;
    return { outcome: { error: { code: error.planError, reason: error.reason, missing: [] } }, graph: present };
  }
}
