/** What the interface says about the server itself. */

/** Root element in XML. */
export const SERVER_ROOT = 'ServerInfo';

/** Facts about the running program and its machine. */
export interface ServerFacts {
  /** Semantic version, for example `0.1.0` or `0.2.0-rc.1`. */
  version: string;
  /** Revision it was built from; empty when unknown. */
  commit: string;
  commitTime: string;
  buildTime: string;
  cpuName: string;
  cores: number;
}

/** Versions, processor and number of cores. */
export function presentServer(facts: ServerFacts) {
  const { version, commit } = facts;
  const [numbers = '', ...rest] = version.split('-');
  const [major = 0, minor = 0, incremental = 0] = numbers.split('.').map(Number);
  const qualifier = rest.join('-');
  const uid = 1_000_000 * major + 1000 * minor + incremental;
  return {
    serverVersion: {
      version,
      major,
      minor,
      incremental,
      qualifier,
      commit,
      describe: commit === '' ? version : `${version}-g${commit.slice(0, 7)}`,
      commit_time: facts.commitTime,
      build_time: facts.buildTime,
      longVersionString: longVersion({ version, major, minor, incremental, qualifier, commit }),
      shortVersionString: `Trestle ${version} ${commit}`.trimEnd(),
      uid: qualifier === 'SNAPSHOT' ? -uid : uid,
    },
    cpuName: facts.cpuName,
    nCores: facts.cores,
  };
}

function longVersion(v: {
  version: string;
  major: number;
  minor: number;
  incremental: number;
  qualifier: string;
  commit: string;
}): string {
  const { version, major, minor, incremental, qualifier, commit } = v;
  const lines = { version, major, minor, patch: incremental, qualifier, commit };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
