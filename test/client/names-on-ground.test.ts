/** Names of the map can be read through the ground that an analysis paints over them. */

import { readFile } from 'node:fs/promises';
import test from 'ava';
import { rampColor } from '../../src/client/analyse/palette.js';
import { presentStyle } from '../../src/serialization/map-style.js';

/** Of text, 4.5 is what readers with weak eyes need; names are drawn over lines and stops as well. */
const LEAST_CONTRAST = 3.3;

type Color = readonly number[];

/** What is seen where a colour of the map is multiplied with one that is painted, as `picture.css` does in light colours. */
const painted = (map: Color, ground: Color, strength: number) =>
  map.map((channel, i) => channel * (1 - strength) + ((channel * (ground[i] ?? 0)) / 255) * strength);

function luminance(color: Color): number {
  const [r = 0, g = 0, b = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('names of stops can be read where the farthest places are painted', async (t) => {
  const tokens = await readFile(new URL('../../../src/client/style/tokens.css', import.meta.url), 'utf8');
  const strength = Number(/--painted: ([\d.]+);/.exec(tokens)?.[1]);
  const { layers }: any = presentStyle('town', 'light', () => '');
  const paintOf = (id: string) => layers.find((layer: any) => layer.id === id).paint;
  const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  const [ground, name] = [paintOf('ground')['background-color'], paintOf('stop-names')['text-color']]
    .map(channels)
    .map((color) => luminance(painted(color, rampColor(1), strength)));
  t.true(((ground ?? 0) + 0.05) / ((name ?? 0) + 0.05) >= LEAST_CONTRAST, `${ground} ${name}`);
});
