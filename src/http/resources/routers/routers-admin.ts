/** PUT, POST and DELETE of the router registry. Texts and statuses are part of the interface. */

import type { Context } from 'koa';
import { isLegalRouterId, LEGAL_CHARACTERS } from '../../../config/router-id.js';
import { HttpError, RouterNotFoundError } from '../../../http-error.js';
import { graphInfo } from '../../../native/graph-info.js';
import type { PutOutcome, RouterControl } from '../../../registry/control.js';
import type { HostControl, OnAllHosts } from '../../../registry/host-control.js';
import type { Router } from '../../../registry/router.js';
import type { UploadBody } from '../../../registry/uploads.js';
import { setHeaders } from '../../answers/answer-headers.js';
import { TEXT_ONLY } from '../../answers/negotiation.js';
import { respondText } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { type Parameter, parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { routesWith } from '../../route.js';

const GRAPH = 'application/octet-stream';
const ZIP = 'application/zip';

const HERE = parameters({
  onlyHere: parameter.boolean(
    'Change only this host, so that hosts that share their state can be changed one after the other',
    {
      default: false,
    },
  ),
});

const PRE_EVICT = parameters({
  preEvict: parameter.boolean(
    'Drop the served graph before the new one is loaded: this takes less memory, but requests wait',
    {
      default: false,
    },
  ),
});

const LOAD = { ...PRE_EVICT, ...HERE };

const RELOAD = {
  ...LOAD,
  ...parameters({
    force: parameter.boolean('Remove routers that cannot be reloaded, instead of keeping their previous graph', {
      default: true,
    }),
  }),
};

const SAVE = parameters({
  routerId: parameter.text('Router whose directory the graph is saved to', { required: true }),
});

const HOSTS = ['Trestle-Hosts'] as const;

export const routersAdminRoutes = routesWith({ tag: 'Routers', role: 'ROUTERS' }, [
  {
    method: 'PUT',
    path: '/routers',
    handler: reloadAll,
    summary: 'Reload all registered routers from disk',
    sends: TEXT_ONLY,
    headers: HOSTS,
    query: RELOAD,
  },
  {
    method: 'DELETE',
    path: '/routers',
    handler: evictAll,
    summary: 'De-register all routers',
    headers: HOSTS,
    produces: TEXT_ONLY,
    query: HERE,
  },
  {
    // Must come before POST /routers/:routerId, which would match the same paths.
    method: 'POST',
    path: '/routers/save',
    handler: save,
    summary: 'Save a graph file to the directory of a router, without loading it',
    produces: TEXT_ONLY,
    consumes: [GRAPH],
    upload: true,
    query: SAVE,
  },
  {
    method: 'PUT',
    path: '/routers/:routerId',
    handler: put,
    summary: 'Load or reload a router from its directory',
    headers: HOSTS,
    produces: TEXT_ONLY,
    query: LOAD,
  },
  {
    method: 'POST',
    path: '/routers/:routerId',
    handler: post,
    summary: 'Create or replace a router from a graph file, or from a zip of build inputs without folders',
    headers: HOSTS,
    produces: TEXT_ONLY,
    consumes: [GRAPH, ZIP],
    upload: true,
    query: LOAD,
  },
  {
    method: 'DELETE',
    path: '/routers/:routerId',
    handler: evict,
    summary: 'De-register a router',
    headers: HOSTS,
    produces: TEXT_ONLY,
    query: HERE,
  },
]);

const PUT_ANSWERS: Readonly<Record<PutOutcome, readonly [status: number, text: string]>> = {
  registered: [201, 'graph registered.\n'],
  reloaded: [201, 'graph already registered, reloaded.\n'],
  'not-found': [404, 'graph not found or other error.\n'],
  'reload-failed': [404, 'graph already registered, but reload failed.\n'],
};

/**
 * Makes a change on all hosts, and reports in a header which of them have followed. Without other hosts, or with
 * `onlyHere`, makes it here only.
 */
async function change<T>(
  ctx: Context,
  { control, hostControl }: HandlerDeps,
  query: Query,
  work: (control: RouterControl | HostControl) => Promise<T> | Promise<OnAllHosts<T>>,
): Promise<T> {
  if (hostControl === undefined || flag(query, HERE.onlyHere)) return (await work(control)) as T;
  const { here, hosts } = (await work(hostControl)) as OnAllHosts<T>;
  const outcomes = hosts.map(({ host, outcome }) => `${headerText(host)}=${headerText(outcome ?? 'no answer')}`);
  setHeaders(ctx, { 'Trestle-Hosts': outcomes.join(', ') });
  return here;
}

/** A text in quotes, with only the characters that a header may contain. */
function headerText(text: string): string {
  return `"${text
    .replaceAll(/[^ -~]+/g, ' ')
    .replaceAll(/["\\]/g, "'")
    .trim()
    .slice(0, 200)}"`;
}

async function put(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const preEvict = flag(query, PRE_EVICT.preEvict);
  const outcome = await change(ctx, deps, query, (control) => control.put(ctx.params.routerId, { preEvict }));
  respondText(ctx, ...(PUT_ANSWERS[outcome] ?? PUT_ANSWERS['reload-failed']));
}

async function reloadAll(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const options = { preEvict: flag(query, PRE_EVICT.preEvict), evictOnFailure: flag(query, RELOAD.force) };
  await change(ctx, deps, query, (control) => control.reloadAll(options));
  respondText(ctx, 200, '');
}

async function evict(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const evicted = await change(ctx, deps, query, (control) => control.evict(ctx.params.routerId));
  if (evicted) respondText(ctx, 200, 'graph evicted.\n');
  else respondText(ctx, 404, 'graph did not exist.\n');
}

async function evictAll(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const count = await change(ctx, deps, query, (control) => control.evictAll());
  respondText(ctx, 200, `${count} graphs evicted.\n`);
}

async function post(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const routerId: string = ctx.params.routerId;
  requireLegal(routerId);
  const preEvict = flag(query, PRE_EVICT.preEvict);
  const file = await receive(ctx, deps);
  const outcome = await change(ctx, deps, query, (control) => control.replace(routerId, file, preEvict));
  if (outcome.kind === 'failed') throw new HttpError(400, `${outcome.reason}\n`);
  if (outcome.kind === 'evicted') throw new RouterNotFoundError(routerId);
  respondText(ctx, 201, `${await deps.registry.use(routerId, describe)}\n`);
}

async function save(ctx: Context, { config, control, uploads }: HandlerDeps, query: Query): Promise<void> {
  if (config.publishedGraphs) throw new HttpError(409, 'graphs come from an object store: use trestle publish\n');
  const routerId = query.raw(SAVE.routerId);
  if (routerId === undefined) throw new HttpError(400, 'the parameter routerId is missing\n');
  requireLegal(routerId);
  await uploads.save(body(ctx), routerId, (work) => control.saving(routerId, work));
  respondText(ctx, 201, 'graph saved.\n');
}

/** The file of a graph that a client sent, or of one that was built from the inputs in a zip. */
function receive(ctx: Context, { uploads }: HandlerDeps): Promise<string> {
  return ctx.is(ZIP) ? uploads.receiveInputs(body(ctx)) : uploads.receiveGraph(body(ctx));
}

function body(ctx: Context): UploadBody {
  const declared = ctx.get('Content-Length');
  return { stream: ctx.req, bytes: declared === '' ? undefined : Number(declared) };
}

function describe({ id, graph }: Router): string {
  const { vertices, edges, stops } = graphInfo(graph);
  return `<Graph id=${id} vertices=${vertices} edges=${edges} stops=${stops}>`;
}

function requireLegal(routerId: string): void {
  if (isLegalRouterId(routerId)) return;
  throw new HttpError(400, `illegal router id: ${LEGAL_CHARACTERS} are allowed\n`);
}

/** A flag without a value is false, whatever its default. */
function flag(query: Query, parameter: Parameter<boolean>): boolean {
  return query.raw(parameter) === '' ? false : query.value(parameter);
}
