/**
 * The XML form of a JSON body: members become elements, `undefined` becomes an empty element (an absent list is an
 * absent member), and a list becomes a wrapper around elements of its own name.
 */

import { EntityId } from './entity-id.js';

/** Members whose numbers are decimal fractions, so that 5 is written `5.0`. */
const DECIMAL_MEMBERS = new Set([
  'distance',
  'walkDistance',
  'elevationLost',
  'elevationGained',
  'lon',
  'lat',
  'x',
  'y',
  'first',
  'second',
  'coordinates',
  'centerLatitude',
  'centerLongitude',
  'lowerLeftLatitude',
  'lowerLeftLongitude',
  'upperRightLatitude',
  'upperRightLongitude',
  'ellipsoidToGeoidDifference',
  'flexDrtAdvanceBookMin',
]);

/** Lists of numbers without a wrapper, however deeply nested. */
const FLAT_LISTS = new Set(['coordinates']);

const ELEMENT_NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * Characters that an XML 1.0 document must not contain, not even escaped: control characters and halves of surrogate
 * pairs.
 */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A whole document with the given root element; no declaration, no attributes. */
export function toXml(root: string, value: unknown): string {
  return element(root, value, '');
}

function element(name: string, value: unknown, parent: string): string {
  if (value === undefined || value === null) return `<${name}/>`;
  if (Array.isArray(value)) return list(name, value);
  if (value instanceof EntityId) {
    return `<${name}><agencyId>${escapeText(value.feed)}</agencyId><id>${escapeText(value.entity)}</id></${name}>`;
  }
  if (typeof value === 'object') return `<${name}>${members(value, name)}</${name}>`;
  if (typeof value === 'number') return `<${name}>${numeral(value, name, parent)}</${name}>`;
  return `<${name}>${escapeText(String(value))}</${name}>`;
}

function members(value: object, parent: string): string {
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (ELEMENT_NAME.test(name)) text += element(name, member, parent);
  }
  return text;
}

function list(name: string, items: unknown[]): string {
  if (FLAT_LISTS.has(name)) {
    return items
      .flat(Number.POSITIVE_INFINITY)
      .map((item) => element(name, item, name))
      .join('');
  }
  if (items.length === 0) return `<${name}/>`;
  return `<${name}>${items.map((item) => element(name, item, name)).join('')}</${name}>`;
}

function numeral(value: number, name: string, parent: string): string {
  // A leg's duration is a decimal, an itinerary's is an integer.
  const decimal = DECIMAL_MEMBERS.has(name) || (name === 'duration' && parent === 'legs');
  return decimal && Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function escapeText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}
