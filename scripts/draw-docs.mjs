// Draws the pictures of docs/analysis.md and docs/web-client.md, with a server of the sample town:
//   npm run build:ts && node scripts/draw-docs.mjs

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { drawClient } from './client-picture.mjs';
import { startServer } from './started-server.mjs';

const OUTPUT = fileURLToPath(new URL('../docs/pictures', import.meta.url));
const WHEN = 'date=2026-11-23&time=8:00am';
const ZOOM = 13;
const TILE = 256;
/** Tiles of a picture in each direction. */
const SIDE = 2;

const { root, stop } = await startServer({ flags: ['--analyst'] });
const BASE = `${root}otp`;

async function bytes(target) {
  const response = await fetch(BASE + target);
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

const json = async (target, init) => (await fetch(BASE + target, init)).json();

/** Column and row of a place in the grid of tiles, with fractions. */
function tileAt({ lat, lon }) {
  const phi = (lat * Math.PI) / 180;
  return {
    x: ((lon + 180) / 360) * 2 ** ZOOM,
    y: (0.5 - Math.asinh(Math.tan(phi)) / (2 * Math.PI)) * 2 ** ZOOM,
  };
}

/** The tiles of a picture, joined; `pathOf` gives the path of a tile. */
async function mosaic({ left, top }, pathOf) {
  const tiles = [];
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < SIDE; column += 1) {
      const input = await bytes(pathOf(`${ZOOM}/${left + column}/${top + row}.png`));
      tiles.push({ input, left: column * TILE, top: row * TILE });
    }
  }
  const size = SIDE * TILE;
  const blank = sharp({
    create: { width: size, height: size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  });
  return blank.composite(tiles).png().toBuffer();
}

/** The streets in light grey. */
async function streets(frame) {
  const coloured = await mosaic(frame, (tile) => `/routers/default/inspector/tile/traversal/${tile}`);
  return sharp(coloured)
    .flatten({ background: 'white' })
    .grayscale()
    .linear(0.35, 166)
    .toColourspace('srgb')
    .png()
    .toBuffer();
}

/** Contours as an SVG picture, the largest first. */
function contours({ features }, { left, top }) {
  const shades = ['#c6dbef', '#9ecae1', '#4292c6', '#084594'];
  const point = ([lon, lat]) => {
    const { x, y } = tileAt({ lat, lon });
    return `${((x - left) * TILE).toFixed(1)},${((y - top) * TILE).toFixed(1)}`;
  };
  const ring = (positions) => `M${positions.map(point).join('L')}Z`;
  const shapes = [...features]
    .sort((a, b) => b.properties.time - a.properties.time)
    .map(({ geometry }, i) => {
      const d = geometry.coordinates.flat().map(ring).join('');
      return `<path d="${d}" fill="${shades[i]}" fill-opacity="0.55" fill-rule="evenodd" stroke="${shades[i]}"/>`;
    });
  const size = SIDE * TILE;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${shapes.join('')}</svg>`,
  );
}

async function save(name, background, overlay) {
  const image = sharp(background).composite([{ input: overlay }]);
  await image.png({ palette: true, compressionLevel: 9, effort: 10 }).toFile(path.join(OUTPUT, name));
}

async function draw() {
  const { centerLatitude: lat, centerLongitude: lon } = await json('/routers/default');
  const center = tileAt({ lat, lon });
  const frame = { left: Math.round(center.x) - SIDE / 2, top: Math.round(center.y) - SIDE / 2 };
  const from = `fromPlace=${lat},${lon}&${WHEN}`;
  const background = await streets(frame);
  const cutoffs = [10, 20, 30, 40].map((minutes) => `cutoffSec=${60 * minutes}`).join('&');
  const isochrone = await json(`/routers/default/isochrone?${from}&${cutoffs}&precisionMeters=100`);
  await save('isochrone.png', background, contours(isochrone, frame));
  const surface = async (mode) => (await json(`/surfaces?${from}&batch=true&mode=${mode}`, { method: 'POST' })).id;
  const [walk, transit] = [await surface('WALK'), await surface('TRANSIT,WALK')];
  await save('isotiles.png', background, await mosaic(frame, (tile) => `/surfaces/${transit}/isotiles/${tile}`));
  const difference = await mosaic(frame, (tile) => `/surfaces/${walk}/differencetiles/${transit}/${tile}`);
  await save('difference.png', background, difference);
  for (const style of ['color30', 'difference']) {
    const legend = sharp(await bytes(`/analyst/legend.png?styles=${style}&width=512&height=60`));
    await legend
      .flatten({ background: 'white' })
      .png({ palette: true })
      .toFile(path.join(OUTPUT, `legend-${style}.png`));
  }
  await drawClient(root, path.join(OUTPUT, 'web-client.png'));
}

try {
  await draw();
} finally {
  await stop();
}
