/** Updaters of live data in router-config.json: their types, and what each type needs. */

import { quoted } from '../quoted.js';
import { didYouMean } from '../suggestion.js';
import {
  BOOLEAN,
  COUNT,
  type ConfigValue,
  type Field,
  type Fields,
  INTEGER,
  type MemberFault,
  MOST_WAIT_SECONDS,
  TEXT,
  unused,
  WAIT,
} from './fields.js';
import { FEED_FORM, SOCKET_FORM } from './text-forms.js';

/** Rental systems whose documents are JSON. */
export const JSON_RENTAL_SOURCES = [
  'jcdecaux',
  'b-cycle',
  'citi-bike-nyc',
  'sf-bay-area',
  'share-bike',
  'uip-bike',
  'smoove',
  'bicimad',
  'city-bikes',
] as const;

/** Rental systems whose documents are XML. */
export const XML_RENTAL_SOURCES = ['bixi', 'keolis-rennes', 'vcub', 'next-bike', 'ov-fiets', 'kml'] as const;

interface UpdaterNeeds {
  /** Possible values of `sourceType`, one of which has to be given; undefined for types that do not read it. */
  readonly sourceTypes?: readonly string[];
  /** Members that have to be given. */
  readonly members?: readonly string[];
  /** The type is known, but no updater is made from it. */
  readonly hasNoEffect?: true;
}

const NEEDS: Readonly<Record<string, UpdaterNeeds>> = {
  // And `url` or `file`, see below.
  'stop-time-updater': { sourceTypes: ['gtfs-http', 'gtfs-file'] },
  'websocket-gtfs-rt-updater': { members: ['url'] },
  'real-time-alerts': { members: ['url'] },
  'bike-rental': { sourceTypes: ['gbfs', ...JSON_RENTAL_SOURCES, ...XML_RENTAL_SOURCES], members: ['url'] },
  'bike-park': { sourceTypes: ['kml-placemarks'], members: ['url'] },
  'vehicle-positions': { members: ['url'] },
  'winkki-polling-updater': { members: ['url', 'featureType'] },
  'opentraffic-updater': { hasNoEffect: true },
  'example-updater': {},
  'example-polling-updater': {},
};

/** Every type that an updater may have; not all of them do something. */
export const UPDATER_TYPES: readonly string[] = Object.keys(NEEDS);

/** Members of all updater types; each type uses some of them. */
const UPDATER_FIELDS: Fields = {
  type: { kind: 'string', oneOf: UPDATER_TYPES },
  sourceType: TEXT,
  // Not above 0: only once.
  frequencySec: { kind: 'number', integer: true, maximum: MOST_WAIT_SECONDS },
  staleAfterSec: COUNT,
  url: TEXT,
  file: TEXT,
  feedId: TEXT,
  logFrequency: unused(INTEGER),
  maxSnapshotFrequencyMs: unused(INTEGER),
  purgeExpiredData: BOOLEAN,
  fuzzyTripMatching: BOOLEAN,
  reconnectPeriodSec: WAIT,
  heartbeatSec: WAIT,
  earlyStartSec: COUNT,
  network: TEXT,
  networks: TEXT,
  apiKey: TEXT,
  namePrefix: TEXT,
  routeAsCar: BOOLEAN,
  zip: BOOLEAN,
  featureType: TEXT,
  tileDirectory: unused(TEXT),
  headers: { kind: 'map', values: TEXT },
};

/** One updater. One that cannot work is left out with a warning, so that its router is still served. */
export const UPDATER: Field = {
  kind: 'optional',
  field: { kind: 'object', fields: UPDATER_FIELDS, required: ['type'], faultOf: updaterFault },
};

/** What an updater of this type lacks, or has in a wrong form. */
function updaterFault(given: Readonly<Record<string, ConfigValue>>): MemberFault | undefined {
  const { sourceTypes, members = [], hasNoEffect } = NEEDS[String(given.type)] ?? {};
  if (hasNoEffect) return { member: 'type', reason: `${given.type} has no effect on this server` };
  const location = given.type === 'stop-time-updater' ? [given.sourceType === 'gtfs-file' ? 'file' : 'url'] : [];
  const needed = [...(sourceTypes === undefined ? [] : ['sourceType']), ...members, ...location];
  const missing = needed.find((name) => given[name] === undefined || given[name] === '');
  if (missing !== undefined) return { reason: `${missing} is missing` };
  const urlForm = given.type === 'websocket-gtfs-rt-updater' ? SOCKET_FORM : FEED_FORM;
  if (needed.includes('url') && !urlForm.fits(String(given.url))) {
    return { member: 'url', reason: `expected ${urlForm.expected}` };
  }
  if (!areHeaders(given.headers)) return { member: 'headers', reason: 'HTTP does not allow one of these headers' };
  if (sourceTypes === undefined || sourceTypes.includes(String(given.sourceType))) return undefined;
  const found = String(given.sourceType);
  const expected = `expected one of ${sourceTypes.join(', ')}, found ${quoted(found)}`;
  return { member: 'sourceType', reason: expected + didYouMean(found, sourceTypes, '"') };
}

/** Whether requests can have these headers. */
function areHeaders(value: ConfigValue | undefined): boolean {
  try {
    return new Headers(Object.entries(value ?? {})) !== undefined;
  } catch {
    return false;
  }
}
