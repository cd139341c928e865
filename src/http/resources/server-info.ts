/** GET / below the mount: the server itself. */

import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Context } from 'koa';
import { INTERFACE_VERSION, PRODUCT, PRODUCT_NAME } from '../../product.js';
import { presentServer, SERVER_ROOT, type ServerFacts } from '../../serialization/server-info.js';
import { JSON_OR_XML } from '../answers/negotiation.js';
import { respond } from '../answers/respond.js';
import type { Route } from '../route.js';

export const serverInfoRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/',
    handler: serverInfo,
    summary: 'Describe the server: version of the interface, name and version of the product, processor',
    answer: 'ServerInfo',
    tag: 'Server',
    produces: JSON_OR_XML,
  },
];

let facts: Promise<ServerFacts> | undefined;

async function serverInfo(ctx: Context): Promise<void> {
  facts ??= gatherFacts();
  respond(ctx, SERVER_ROOT, presentServer(await facts));
}

async function gatherFacts(): Promise<ServerFacts> {
  const processors = cpus();
  return {
    interfaceVersion: INTERFACE_VERSION,
    product: { name: PRODUCT_NAME, version: PRODUCT.version },
    ...(await revision()),
    cpuName: processors[0]?.model ?? 'unknown',
    cores: processors.length,
  };
}

/** The source revision, as the packaging wrote it; a plain checkout has no such file. */
async function revision(): Promise<Pick<ServerFacts, 'commit' | 'commitTime' | 'buildTime'>> {
  const unknown = { commit: '', commitTime: '', buildTime: '' };
  try {
    const file = new URL('../../../../revision.json', import.meta.url);
    return { ...unknown, ...JSON.parse(await readFile(file, 'utf8')) };
  } catch {
    return unknown;
  }
}
