// GraphQL queries that ask for far more than any client needs, each in its own way, for scripts and tests.
//
// `query(city, client, turn)` returns the text, which `clients` send at the same time, again and again. `city` has the
// `lat` and `lon` of its centre, and a `date` (YYYYMMDD) of service with the epoch seconds of its `noon`.

const aliases = (count, field) => Array.from({ length: count }, (_, i) => field(i)).join(' ');
const place = ({ lat, lon }, i) => `${(lat + 0.0004 * (i % 50)).toFixed(5)},${(lon - 0.0003 * (i % 70)).toFixed(5)}`;
const box = ({ lat, lon }) =>
  `minLat: ${lat - 0.01}, minLon: ${lon - 0.015}, maxLat: ${lat + 0.01}, maxLon: ${lon + 0.015}`;
const CALLS = 'scheduledArrival scheduledDeparture realtimeArrival realtimeDeparture stopIndex headsign';

/** A small query, as ordinary clients send it. */
export const HONEST_QUERY = '{ stops(ids: ["1:none"]) { name } agencies { name routes { shortName } } }';

export const HOSTILE_QUERIES = {
  /** Many street searches in one query. */
  radius: {
    clients: 4,
    query: (city, client, turn) =>
      `{ ${aliases(90, (i) => {
        const [lat, lon] = place(city, i + client + turn).split(',');
        return `a${i}: stopsByRadius(lat: ${lat}, lon: ${lon}, radius: 5000) { edges { node { distance stop { name } } } }`;
      })} }`,
  },
  /** As many plans as one query may ask for. */
  plans: {
    clients: 3,
    query: (city, client, turn) =>
      `{ ${aliases(19, (i) => {
        const to = place(city, 7 * i + 3 * client + turn + 25);
        return `p${i}: plan(fromPlace: "${place(city, i)}", toPlace: "${to}") { itineraries { legs { mode } } }`;
      })} }`,
  },
  /** All departures of a day, from a hundred moments. */
  times: {
    clients: 20,
    query: (city, client, turn) =>
      `{ stopsByBbox(${box(city)}) { ${aliases(100, (i) => {
        const start = city.noon + 60 * i + client + turn;
        return `a${i}: stoptimesForPatterns(startTime: "${start}", timeRange: 86400, numberOfDepartures: 100000) { stoptimes { scheduledArrival } }`;
      })} } }`,
  },
  /** The same, without any field of the departures. */
  unseenTimes: {
    clients: 20,
    query: (city, client, turn) =>
      `{ stopsByBbox(${box(city)}) { ${aliases(100, (i) => {
        const start = city.noon + 60 * i + client + turn;
        return `a${i}: stoptimesForPatterns(startTime: "${start}", timeRange: 86400, numberOfDepartures: 100000) { pattern { code } }`;
      })} } }`,
  },
  /** A whole day at all stops, with most fields of the calls. */
  days: {
    clients: 10,
    query: ({ date }) =>
      `{ stops { stoptimesForServiceDate(date: "${date}") { stoptimes { ${CALLS} trip { gtfsId } } } } }`,
  },
  /** One field under thousands of aliases. */
  names: {
    clients: 10,
    query: (city) => `{ stopsByBbox(${box(city)}) { ${aliases(4500, (i) => `a${i}: name`)} } }`,
  },
  /** Long texts, built again for each alias. */
  shapes: {
    clients: 6,
    query: () => `{ trips { ${aliases(400, (i) => `a${i}: geometry`)} } }`,
  },
  /** Introspection of the schema, nested and repeated. */
  introspection: {
    clients: 6,
    query: () => {
      const inner = aliases(25, (i) => `b${i}: fields { name type { name } }`);
      return `{ __schema { types { ${aliases(25, (i) => `a${i}: fields { type { ${inner} } }`)} } } }`;
    },
  },
  /** Queries that take long to validate. */
  overlaps: {
    clients: 10,
    query: (_, client, turn) => {
      const fields = (n) => aliases(60, (i) => `f${n}x${i}: name`);
      const sets = Array.from({ length: 60 }, (_, n) => `... on Stop { ${fields(n)} }`);
      return `query Q${client}x${turn} { ${aliases(1, (i) => `s${i}: stops { ${sets.join(' ')} }`)} }`;
    },
  },
  /** Fragments in fragments. */
  fragments: {
    clients: 10,
    query: (_, client, turn) => {
      const spread = (n) =>
        `fragment F${n} on Stop { ${aliases(12, (i) => `a${i}: cluster { stops { ...F${n + 1} } }`)} }`;
      return `query Q${client}x${turn} { stops { ...F0 } } ${spread(0)} ${spread(1)} ${spread(2)} fragment F3 on Stop { name }`;
    },
  },
  /** Lists in lists. */
  nested: {
    clients: 10,
    query: () => '{ stops { routes { stops { routes { stops { name } } } } } }',
  },
  /** Lists without null elements, which are built as a whole. */
  whole: {
    clients: 10,
    query: () => '{ patterns { trips { stops { gtfsId name lat lon } } } }',
  },
  /** Clients that soon close the connection. */
  leaving: {
    clients: 40,
    leaveAfterMs: 30,
    query: () => '{ stops { routes { trips { stops { name } } } } }',
  },
  /** Clients that read slowly. */
  slow: {
    clients: 60,
    bytesPerSecond: 20_000,
    query: () => '{ trips { gtfsId stoptimes { scheduledArrival scheduledDeparture stop { name lat lon } } } }',
  },
};
