/** Rental systems that publish an XML document. */

import { XMLParser } from 'fast-xml-parser';
import { type RentalStation, station } from '../rental-station.js';
import type { SourceFacts, StationReader, XML_SOURCE_TYPES } from './source.js';

// biome-ignore lint/suspicious/noExplicitAny: data from outside; each reader checks the members that it reads
type Node = any;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  removeNSPrefix: true,
  processEntities: true,
});

/** All elements with a name, wherever they are. */
function elements(node: Node, name: string): Node[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap((item) => elements(item, name));
  return Object.entries(node).flatMap(([key, value]) =>
    key === name ? (Array.isArray(value) ? value : [value]) : elements(value, name),
  );
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());

function reader(element: string, read: (node: Node, facts: SourceFacts) => RentalStation | undefined): StationReader {
  return (content, facts) =>
    elements(parser.parse(content), element)
      .map((node) => read(node, facts))
      .filter((found) => found !== undefined);
}

/** Longitude and latitude of a placemark's point. */
function point(placemark: Node): { lat: number; lon: number; written: string } {
  const written = text(placemark.Point?.coordinates);
  const [lon, lat] = written.split(',').map(Number);
  return { lat: lat ?? Number.NaN, lon: lon ?? Number.NaN, written };
}

/** Placemarks have no numbers; one bike and one space are assumed. */
export const readPlacemarks = reader('Placemark', (placemark, { namePrefix = '' }) => {
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
export const XML_SOURCES: Readonly<Record<(typeof XML_SOURCE_TYPES)[number], StationReader>> = {
  bixi: reader('station', (node) =>
    text(node.installed) === 'true'
      ? station({
          id: text(node.id),
          name: text(node.name),
          lat: Number(node.lat),
          lon: Number(node.long),
          bikesAvailable: Number(node.nbBikes),
          spacesAvailable: Number(node.nbEmptyDocks),
        })
      : undefined,
  ),
  'keolis-rennes': reader('station', (node) =>
    text(node.state) === '1'
      ? station({
          id: text(node.number),
          name: text(node.name),
          lat: Number(node.latitude),
          lon: Number(node.longitude),
          bikesAvailable: Number(node.bikesavailable),
          spacesAvailable: Number(node.slotsavailable),
        })
      : undefined,
  ),
  vcub: reader('CI_VCUB_P', (node) => {
    const [lat, lon] = text(node.geometry?.Point?.pos ?? node.msGeometry?.Point?.pos)
      .split(/\s+/)
      .map(Number);
    return station({
      id: text(node.GID ?? node['@id']),
      name: text(node.NOM),
      lat: lat ?? Number.NaN,
      lon: lon ?? Number.NaN,
      bikesAvailable: Number(node.NBVELOS),
      spacesAvailable: Number(node.NBPLACES),
      networks: text(node.TYPE) === 'VLS+' ? ['VCUB+'] : ['VCUB'],
      realTimeData: text(node.ETAT) !== 'DECONNECTEE',
    });
  }),
  'next-bike': reader('place', (node) =>
    node['@bike'] !== undefined
      ? undefined
      : station({
          id: text(node['@number']),
          name: text(node['@name']),
          lat: Number(node['@lat']),
          lon: Number(node['@lng']),
          bikesAvailable: Number.parseInt(text(node['@bikes']), 10),
          spacesAvailable: Number(node['@bike_racks']),
        }),
  ),
  'ov-fiets': reader('Placemark', (placemark) => {
    const { lat, lon, written } = point(placemark);
    return station({ id: text(placemark.name) + written, name: text(placemark.name), lat, lon, bikesAvailable: 1 });
  }),
  kml: readPlacemarks,
};
