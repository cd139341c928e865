/** How the interface describes the server itself. */

import type { ServerInfo } from './answers/index.js';

/** Root element in XML. */
export const SERVER_ROOT = 'ServerInfo';

/** Facts about the running program and its machine. */
export interface ServerFacts {
  /** Version of the interface, `major.minor.incremental`, by which clients decide what they can request. */
  interfaceVersion: string;
  /** The program: its name and its own semantic version, for example `0.2.0-rc.1`. */
  product: { readonly name: string; readonly version: string };
  /** Revision it was built from; empty when unknown. */
  commit: string;
  commitTime: string;
  buildTime: string;
  cpuName: string;
  cores: number;
}

/**
 * Versions, processor and number of cores. The version numbers are those of the interface, because clients branch on
 * them and refuse servers of version 0; `describe`, `shortVersionString` and `product` name the program itself.
 */
export function presentServer(facts: ServerFacts): ServerInfo {
  const { interfaceVersion: version, product, commit } = facts;
  const [major = 0, minor = 0, incremental = 0] = version.split('.').map(Number);
  const release = `${product.name} ${product.version}`;
  return {
    serverVersion: {
      version,
      major,
      minor,
      incremental,
      qualifier: '',
      commit,
      describe: `${product.name}-${product.version}${commit === '' ? '' : `-g${commit.slice(0, 7)}`}`,
      commit_time: facts.commitTime,
      build_time: facts.buildTime,
      longVersionString: longVersion({ version, major, minor, patch: incremental, qualifier: '', commit }),
      shortVersionString: `${release} ${commit}`.trimEnd(),
      uid: 1_000_000 * major + 1000 * minor + incremental,
    },
    product,
    cpuName: facts.cpuName,
    nCores: facts.cores,
  };
}

/** One `name: value` per line. */
function longVersion(lines: Readonly<Record<string, string | number>>): string {
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
