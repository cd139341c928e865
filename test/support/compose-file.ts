/** A compose file as data: variables put in, merged, and only what is needed to run its services as processes. */

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** A service that a file describes. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart?: string;
  readonly profiles?: readonly string[];
}

/** The settings in a container file that matter for its image. */
export interface Image {
  readonly entrypoint: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: readonly string[];
}

/** The services of a file. Throws when a variable that has to be set is missing. */
export async function readCompose(
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<Record<string, ComposeService>> {
  const text = await readFile(file, 'utf8');
  return parse(text, (_, node) => (typeof node === 'string' ? put(node, variables) : node), { merge: true }).services;
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:?}` and `$$`, as compose replaces them. */
function put(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (match, name, kind, rest) => {
    if (match === '$$') return '$';
    const set = variables[name];
    if (set !== undefined && set !== '') return set;
    if (kind === '?') throw new Error(`${name} is not set`);
    return kind === '-' ? rest : '';
  });
}

/** Reads the last stage of a container file. */
export async function readImage(file: string): Promise<Image> {
  const last = (await readFile(file, 'utf8')).split(/^FROM /m).at(-1) ?? '';
  const list = (line: RegExp): string[] => JSON.parse(line.exec(last)?.[1] ?? '[]');
  const environment = /^ENV (.*)$/m.exec(last)?.[1] ?? '';
  return {
    entrypoint: list(/^ENTRYPOINT (.*)$/m),
    environment: Object.fromEntries(environment.split(' ').map((pair) => pair.split('='))),
    healthcheck: list(/^HEALTHCHECK [^[]*CMD (\[.*\])$/m),
  };
}
