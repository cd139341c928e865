/** How busy the server is, from its counters. */

export interface Counters {
  /** Milliseconds by the browser's monotonic clock. */
  readonly at: number;
  readonly requests: number;
  readonly searches: number;
  readonly failures: number;
  readonly running: number;
  readonly queued: number;
  readonly rejected: number;
}

/** The difference between two moments. */
export interface Load extends Omit<Counters, 'at' | 'requests' | 'searches'> {
  readonly requestsPerSecond: number;
  readonly searchesPerSecond: number;
}

/** Resources that search for paths. */
const SEARCHES =
  /\/(plan|isochrone|isochroneOld|simpleIsochrone|timegrid|matrix|profile|rrtr|surfaces|analyst\/tile\/.*|index\/graphql)$/;

/** Reads the counters out of the server's metrics. */
export function readCounters(text: string, at: number): Counters {
  const counters = { at, requests: 0, searches: 0, failures: 0, running: 0, queued: 0, rejected: 0 };
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^(trestle_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const number = Number(value);
    if (name === 'trestle_http_requests_total') {
      counters.requests += number;
      if (SEARCHES.test(/route="([^"]*)"/.exec(labels)?.[1] ?? '')) counters.searches += number;
      if (/status="5/.test(labels)) counters.failures += number;
    } else if (name === 'trestle_searches_running') counters.running += number;
    else if (name === 'trestle_searches_queued') counters.queued += number;
    else if (name === 'trestle_searches_rejected') counters.rejected += number;
  }
  return counters;
}

/** The load between two moments; undefined when the server was restarted in between. */
export function loadBetween(before: Counters, after: Counters): Load | undefined {
  const seconds = (after.at - before.at) / 1000;
  if (seconds <= 0 || after.requests < before.requests) return undefined;
  return {
    requestsPerSecond: (after.requests - before.requests) / seconds,
    searchesPerSecond: (after.searches - before.searches) / seconds,
    failures: after.failures - before.failures,
    running: after.running,
    queued: after.queued,
    rejected: after.rejected - before.rejected,
  };
}
