/** Lines as encoded polylines, in several answers. */

import { integer, named, optional, type Static, text } from './schema.js';

export const EncodedPolyline = named(
  'EncodedPolyline',
  {
    points: text('Google polyline: five decimals, latitude first'),
    levels: optional(text('Never given; in XML an empty element')),
    length: integer('Number of points'),
  },
  'A line',
);
export type EncodedPolyline = Static<typeof EncodedPolyline>;
