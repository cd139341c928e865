/** Global ids: base64 of a type's name, a colon and the id within the type. */

import { GraphQLError } from 'graphql';
import { quoted } from '../quoted.js';

/** The global id of an entity. */
export function globalId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

/** Type and id of a global id. Throws when the text is not a global id. */
export function parseGlobalId(text: string): { type: string; id: string } {
  const decoded = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString() : '';
  const colon = decoded.indexOf(':');
  if (colon < 0) throw new GraphQLError(`${quoted(text)} is not a global id`);
  return { type: decoded.slice(0, colon), id: decoded.slice(colon + 1) };
}
