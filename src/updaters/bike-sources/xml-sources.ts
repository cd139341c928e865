/** Rental systems that publish an XML document. */

import { XMLParser } from 'fast-xml-parser';
import type { XML_RENTAL_SOURCES } from '../../config/updaters.js';
import { numeric, type RentalStation, station } from '../rental-station.js';
import type { SourceFacts, StationReader } from './source.js';

// biome-ignore lint/suspicious/noExplicitAny: data from outside; each reader checks the members that it reads
type Node = any;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  removeNSPrefix: true,
  // This also reads numeric character references, such as `&#233;`.
  htmlEntities: true,
});

/** All elements with a name, wherever they are. */
function elements(node: Node, name: string): Node[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap((item) => elements(item, name));
  return Object.entries(node).flatMap(([key, value]) =>
    key === name ? (Array.isArray(value) ? value : [value]) : elements(value, name),
  );
}

/** The attributes and parts of a station. */
function partsOf(node: Node): Node {
  if (node === null || typeof node !== 'object') return {};
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, content(value)]));
}

/** The text of an element without parts, or its parts. Its attributes do not count. */
function content(node: Node): Node {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map(content);
  const parts = Object.entries(node).filter(([key]) => key !== '#text' && !key.startsWith('@'));
  if (parts.length === 0) return node['#text'] ?? '';
  return Object.fromEntries(parts.map(([key, value]) => [key, content(value)]));
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());

/** Reads the elements with a name; a document without any has to have the element that would contain them. */
function reader(
  element: string,
  container: string,
  read: (node: Node, facts: SourceFacts) => RentalStation | undefined,
): StationReader {
  return (content, facts) => {
    const document = parser.parse(content);
    const found = elements(document, element);
    if (found.length === 0 && elements(document, container).length === 0) {
      throw new Error(`no list of stations: neither <${element}> nor <${container}>`);
    }
    return found.map((node) => read(partsOf(node), facts)).filter((station) => station !== undefined);
  };
}

/** Longitude and latitude of a placemark's point. */
function point(placemark: Node): { lat: number; lon: number; written: string } {
  const written = text(placemark.Point?.coordinates);
  const [lon, lat] = written.split(',').map(numeric);
  return { lat: lat ?? Number.NaN, lon: lon ?? Number.NaN, written };
}

/** Placemarks have no numbers; one bike and one space are assumed. */
export const readPlacemarks = reader('Placemark', 'kml', (placemark, { namePrefix = '' }) => {
  const { lat, lon } = point(placemark);
  const name = text(placemark.name);
  return station({
    id: `${name.replaceAll(' ', '_')}[${lon.toFixed(3)}-${lat.toFixed(3)}]`,
    name: namePrefix + name,
    lat,
    lon,
    bikesAvailable: 1,
    spacesAvailable: 1,
    realTimeData: false,
  });
});

/** Readers by `sourceType`. */
export const XML_SOURCES: Readonly<Record<(typeof XML_RENTAL_SOURCES)[number], StationReader>> = {
  bixi: reader('station', 'stations', (node) =>
    text(node.installed) === 'true'
      ? station({
          id: text(node.id),
          name: text(node.name),
          lat: numeric(node.lat),
          lon: numeric(node.long),
          bikesAvailable: numeric(node.nbBikes),
          spacesAvailable: numeric(node.nbEmptyDocks),
        })
      : undefined,
  ),
  'keolis-rennes': reader('station', 'opendata', (node) =>
    text(node.state) === '1'
      ? station({
          id: text(node.number),
          name: text(node.name),
          lat: numeric(node.latitude),
          lon: numeric(node.longitude),
          bikesAvailable: numeric(node.bikesavailable),
          spacesAvailable: numeric(node.slotsavailable),
        })
      : undefined,
  ),
  vcub: reader('CI_VCUB_P', 'FeatureCollection', (node) => {
    const [lat, lon] = text(node.geometry?.Point?.pos ?? node.msGeometry?.Point?.pos)
      .split(/\s+/)
      .map(numeric);
    return station({
      id: text(node.GID ?? node['@id']),
      name: text(node.NOM),
      lat: lat ?? Number.NaN,
      lon: lon ?? Number.NaN,
      bikesAvailable: numeric(node.NBVELOS),
      spacesAvailable: numeric(node.NBPLACES),
      networks: text(node.TYPE) === 'VLS+' ? ['VCUB+'] : ['VCUB'],
      realTimeData: text(node.ETAT) !== 'DECONNECTEE',
    });
  }),
  'next-bike': reader('place', 'markers', (node) =>
    node['@bike'] !== undefined
      ? undefined
      : station({
          id: text(node['@number']),
          name: text(node['@name']),
          lat: numeric(node['@lat']),
          lon: numeric(node['@lng']),
          bikesAvailable: Number.parseInt(text(node['@bikes']), 10),
          spacesAvailable: numeric(node['@bike_racks']),
        }),
  ),
  'ov-fiets': reader('Placemark', 'kml', (placemark) => {
    const { lat, lon, written } = point(placemark);
    return station({ id: text(placemark.name) + written, name: text(placemark.name), lat, lon, bikesAvailable: 1 });
  }),
  kml: readPlacemarks,
};
