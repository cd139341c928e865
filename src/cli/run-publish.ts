/** Runs `trestle publish`. */

import path from 'node:path';
import { parseObjectAddress } from '../config/object-address.js';
import { isLegalRouterId, LEGAL_CHARACTERS } from '../config/router-id.js';
import { environmentName, resolveServerConfig } from '../config/server-config.js';
import { openChecked } from '../native/addon.js';
import { type Publication, prepareGraph, publish } from '../publishing/publish.js';
import { openS3 } from '../publishing/s3-object-store.js';
import { quoted } from '../quoted.js';
import { CommandFailure, EXIT } from './failure.js';
import { progressDisplay } from './progress.js';

/** Options of the command. */
export interface PublishArguments {
  readonly router?: string;
  readonly s3Endpoint?: string;
  readonly again?: boolean;
  readonly json?: boolean;
}

/** Publishes the graph of a directory and prints what that changed. */
export async function runPublish(directory: string, address: string, args: PublishArguments): Promise<void> {
  const place = parseObjectAddress(address);
  if (place === undefined) {
    throw new CommandFailure(`<address>: expected s3://bucket/prefix, found ${quoted(address)}`, EXIT.usage);
  }
  const flags = { s3Endpoint: args.s3Endpoint };
  // Variables of a server mean nothing here; in a cluster, TRESTLE_PORT is the address of a service called trestle.
  const variable = environmentName('s3Endpoint');
  const environment = { [variable]: process.env[variable] };
  const { config } = resolveServerConfig({ flags, environment, basePath: '.' });
  const router = args.router ?? path.basename(path.resolve(directory));
  if (router === '' || !isLegalRouterId(router)) {
    throw new CommandFailure(`illegal router id ${quoted(router)}: ${LEGAL_CHARACTERS} are allowed`, EXIT.usage);
  }
  const graph = await prepareGraph(directory, openChecked);
  if (graph.manifest.inputs === undefined) {
    console.error('there is no report of the build of this graph, so the manifest does not name its inputs');
  }
  const store = await openS3(place, config.s3Endpoint);
  const display = await progressDisplay();
  let publication: Publication;
  try {
    publication = await publish(graph, store, {
      router,
      again: args.again ?? false,
      onProgress: (fraction) => display.listener('upload', fraction),
    });
  } finally {
    display.stop();
  }
  const { pointer, manifest } = publication;
  console.log(args.json ? JSON.stringify({ pointer, manifest }, null, 1) : summary(publication));
}

function summary({ pointer, manifest, uploaded, moved }: Publication): string {
  const { sha256, bytes, service } = manifest;
  const days = service === undefined ? '' : `, service from ${service.first} to ${service.last}`;
  const what = `${pointer.router}: graph ${sha256}, ${(bytes / 1e6).toFixed(1)} MB${days}`;
  if (!moved) return `${what}\n  is published already`;
  const previous = pointer.former === undefined ? '' : `, in place of ${pointer.former}`;
  return `${what}\n  ${uploaded ? 'uploaded' : 'was in the store already'}, published${previous}`;
}
