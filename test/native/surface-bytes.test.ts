/** Surfaces that one process writes and another one reads. */

import test from 'ava';
import type { Graph, PlanRequest, Surface } from '../../src/native/library.js';
import { builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

const town = builtBefore(test, buildSampleTown);

const library = () => town.graph as unknown as Graph;

function request(more: Partial<PlanRequest> = {}): PlanRequest {
  const { centerLatitude: lat, centerLongitude: lon } = library().info();
  const modes: PlanRequest['modes'] = ['TRANSIT', 'WALK'];
  return { from: { lat, lon }, to: {}, epochSeconds: 1_795_420_800, modes, ...more };
}

/** Everything that a surface answers. */
async function answers(surface: Surface) {
  const stops = await library().stops(library().list('stops'));
  const points = await surface.linkPoints(Float64Array.from(stops.flatMap(({ lat, lon }) => [lat, lon])));
  const raster = await surface.raster({ crs: 'EPSG:4326', width: 200, height: 150, geotiff: false });
  return {
    seconds: await surface.timesTo(points, 1.3),
    contours: await surface.isochrone(600, 6),
    raster: Buffer.from(raster.bytes).toString('base64'),
  };
}

for (const [name, more] of [
  ['with transit', {}],
  ['by bicycle', { modes: ['BICYCLE'], bikeSpeed: 4 }],
  ['slowly, with a long first wait', { walkSpeed: 0.8, clampInitialWait: 1800 }],
] as const) {
  test(`a surface ${name} answers the same after it was written and read`, async (t) => {
    const asked = request(more as Partial<PlanRequest>);
    const made = await library().surface(asked, { cutoffSeconds: 3600 });
    const read = await library().surfaceFromBytes(asked, await made.toBytes());
    const expected = await answers(made);
    t.true(expected.seconds.some((seconds) => seconds < 3600));
    t.true(expected.contours.length > 1);
    made.dispose();
    t.deepEqual(await answers(read), expected);
  });
}

test('the surfaces of a window are written and read', async (t) => {
  const options = { cutoffSeconds: 3600, windowSeconds: 600, statistics: ['min', '90'] };
  for (const made of await library().windowSurfaces(request(), options)) {
    const read = await library().surfaceFromBytes(request(), await made.toBytes());
    t.deepEqual(await answers(read), await answers(made));
  }
});

test('bytes that are not those of a surface of this graph are refused', async (t) => {
  const made = await library().surface(request(), { cutoffSeconds: 3600 });
  const bytes = await made.toBytes();
  const changed = (at: number, value: number) => Object.assign(Buffer.from(bytes), { [at]: value });
  const wrong = [
    Buffer.alloc(0),
    Buffer.from('TRSURF'),
    bytes.subarray(0, bytes.length - 1),
    Buffer.concat([bytes, Buffer.of(0)]),
    changed(7, 9),
    // A step to a vertex far beyond the last one.
    Buffer.concat([bytes.subarray(0, 8), Buffer.of(60, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0)]),
    // More vertices than there are bytes.
    Buffer.concat([bytes.subarray(0, 8), Buffer.of(60, 0xff, 0xff, 0xff, 0xff, 0x0f)]),
  ];
  for (const part of wrong) {
    await t.throwsAsync(
      library().surfaceFromBytes(request(), part),
      { code: 'INVALID_REQUEST' },
      part.toString('hex', 0, 40),
    );
  }
});
