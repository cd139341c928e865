/** Lines in the colours of routes, and water, can be seen on the map in both themes. */

import { createExpression, latest } from '@maplibre/maplibre-gl-style-spec';
import test, { type ExecutionContext } from 'ava';
import { edgeColor } from '../../src/client/map/edge-color.js';
import { presentStyle } from '../../src/serialization/map-style.js';

/** The ground of the map, and the usual edge of a line. */
const GROUNDS = { light: [245, 243, 238], dark: [29, 33, 38] };
const EDGES = { light: '#ffffff', dark: '#0d1113' };

/** The colour of a line for a feature in a colour. */
function drawn(expression: unknown, color: string): number[] {
  const parsed = createExpression(expression, 'line-color', latest.paint_line['line-color'] as never);
  if (parsed.result !== 'success') throw new Error(JSON.stringify(parsed.value));
  const { r, g, b } = parsed.value.evaluate({ zoom: 14 }, { type: 2, properties: { color } } as never);
  return [r, g, b].map((channel: number) => Math.round(255 * channel));
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function differ(t: ExecutionContext, one: number[], other: number[], about: string): void {
  t.true(Math.max(...one.map((channel, i) => Math.abs(channel - (other[i] ?? 0)))) > 48, `${about}: ${one}, ${other}`);
}

for (const theme of ['light', 'dark'] as const) {
  test(`lines in any colour are seen on the ${theme} map`, (t) => {
    const patterns: any = presentStyle('town', theme, () => '').layers.find(({ id }) => id === 'patterns');
    const line = (color: string) => drawn(patterns.paint['line-color'], color);
    for (const color of ['#000000', '#ffffff', '#000080', '#ffff00']) differ(t, line(color), GROUNDS[theme], color);
    t.deepEqual(line('#187ec2'), [0x18, 0x7e, 0xc2]);
  });

  test(`water is seen on the ${theme} map`, (t) => {
    const water: any = presentStyle('town', theme, () => '').layers.find(({ id }) => id === 'water');
    differ(t, channels(water.paint['fill-color']), GROUNDS[theme], 'water');
  });

  test(`the edge of a line has another colour on the ${theme} map`, (t) => {
    const edge = (color: string) => drawn(edgeColor(theme, EDGES[theme]), color);
    for (const color of ['#000000', '#ffffff', '#000080']) differ(t, edge(color), channels(color), color);
    t.deepEqual(edge('#187ec2'), channels(EDGES[theme]));
  });
}
