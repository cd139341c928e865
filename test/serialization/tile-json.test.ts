import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import type { GraphInfo } from '../../src/native/types.js';
import { presentTileJson } from '../../src/serialization/vector-tile.js';
import { buildGraph } from '../support/built-graph.js';
import { smallFeedZip } from '../support/small-feed.js';

const layer = { key: 'stops', description: 'Stops', minZoom: 10, maxZoom: 14, fields: {} };

test('the bounds of a graph on both sides of the 180th meridian are around the earth', (t) => {
  const boundsOf = (west: number, east: number) => {
    const info = {
      lowerLeftLongitude: west,
      lowerLeftLatitude: -47,
      upperRightLongitude: east,
      upperRightLatitude: -34,
    };
    return presentTileJson('r', [layer] as never, info as GraphInfo, '/{z}/{x}/{y}').bounds;
  };
  t.deepEqual(boundsOf(166, 178), [166, -47, 178, -34]);
  t.deepEqual(boundsOf(166, -176), [-180, -47, 180, -34]);
});

test('the bounds of a graph are around its base map too', (t) => {
  const area = (west: number, south: number, east: number, north: number) => ({
    lowerLeftLongitude: west,
    lowerLeftLatitude: south,
    upperRightLongitude: east,
    upperRightLatitude: north,
  });
  const info = { ...area(15, 47, 16, 48), mapArea: area(15.5, 46.5, 16.5, 47.5) } as GraphInfo;
  t.deepEqual(presentTileJson('r', [layer] as never, info, '/{z}/{x}/{y}').bounds, [15, 46.5, 16.5, 48]);
});

/** The corners of a field by their longitude and latitude. */
const CORNERS = [
  [-8.6, 41.15],
  [-8.58, 41.15],
  [-8.58, 41.16],
  [-8.6, 41.16],
];

/** An extract that has nothing but a lake or a road. */
function extract(tags: string): string {
  const nodes = CORNERS.map(([lon, lat], i) => `<node id="${i + 1}" lat="${lat}" lon="${lon}"/>`);
  const refs = [1, 2, 3, 4, 1].map((node) => `<nd ref="${node}"/>`);
  return `<osm>${nodes.join('')}<way id="1">${refs.join('')}${tags}</way></osm>`;
}

for (const [name, files, named] of [
  ['streets', { 'map.osm': extract('<tag k="highway" v="residential"/>') }, true],
  ['a base map without streets', { 'map.osm': extract('<tag k="natural" v="water"/>') }, true],
  ['a feed alone', {}, false],
] as const) {
  test(`the attribution of a graph of ${name} ${named ? 'names' : 'does not name'} OpenStreetMap`, async (t) => {
    const built = await buildGraph(async (directory) => {
      const inputs = Object.entries({ 'feed.zip': smallFeedZip(), ...files });
      for (const [file, content] of inputs) await writeFile(path.join(directory, file), await content);
    });
    t.teardown(() => built.remove());
    const info = built.graph.info();
    t.is(info.vertices > 0, name === 'streets');
    t.deepEqual(
      info.mapArea && Object.values(info.mapArea).map((edge) => Number(edge.toFixed(3))),
      named ? [41.15, -8.6, 41.16, -8.58] : undefined,
    );
    const { attribution } = presentTileJson('r', [layer] as never, info, '/{z}/{x}/{y}');
    t.is(attribution.includes('OpenStreetMap'), named);
  });
}
