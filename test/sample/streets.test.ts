import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import type { TownSize } from '../../scripts/sample-town/town-size.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { type ReadWay, readStreetMap, type StreetMap } from './support.js';

const maps = new Map<string, Promise<StreetMap>>();

/** The streets of a town; those of the same seed and size are made once. */
function streetsOf(t: ExecutionContext, size: TownSize, seed = 1): Promise<StreetMap> {
  const make = async () => {
    const directory = await temporaryDirectory(t);
    await writeSample(directory, { seed, size });
    return readStreetMap(join(directory, 'streets.osm.pbf'));
  };
  const map = maps.get(`${size} ${seed}`) ?? make();
  maps.set(`${size} ${seed}`, map);
  return map;
}

function streets(map: StreetMap): ReadWay[] {
  return [...map.ways.values()].filter(
    (way) => way.tags.highway && !['construction', 'proposed'].includes(way.tags.highway),
  );
}

/** Sizes of the connected parts of the street network, in nodes, largest first. */
function componentSizes(map: StreetMap): number[] {
  const parent = new Map<number, number>();
  const root = (node: number): number => {
    let at = node;
    while (parent.get(at) !== undefined && parent.get(at) !== at) at = parent.get(at) as number;
    parent.set(node, at);
    return at;
  };
  for (const { refs } of streets(map)) {
    for (const ref of refs) parent.set(root(ref), root(refs[0] as number));
  }
  const sizes = new Map<number, number>();
  for (const node of parent.keys()) sizes.set(root(node), (sizes.get(root(node)) ?? 0) + 1);
  return [...sizes.values()].sort((a, b) => b - a);
}

test("an independent reader finds sorted elements, all references resolved, inside the header's box", async (t) => {
  const map = await streetsOf(t, 'village');
  t.true(map.sorted);
  t.true(map.nodes.size > 1000);
  const dangling = [...map.ways.values()].flatMap((way) => way.refs).filter((ref) => !map.nodes.has(ref));
  t.deepEqual(dangling, []);
  const { left, right, top, bottom } = map.bounds;
  const outside = [...map.nodes.values()].filter(
    ({ lat, lon }) => lat * 1e9 > top || lat * 1e9 < bottom || lon * 1e9 > right || lon * 1e9 < left,
  );
  t.deepEqual(outside, []);
});

for (const seed of [1, 2, 3]) {
  test(`seed ${seed}: one town, the island and the islet`, async (t) => {
    const [town, ...islands] = componentSizes(await streetsOf(t, 'village', seed));
    t.true((town as number) > 1000);
    t.deepEqual(islands, [64, 4]);
  });
}

test('members of relations exist, and restrictions name ways that meet at the via node', async (t) => {
  const map = await streetsOf(t, 'town');
  let restrictions = 0;
  for (const { members, tags } of map.relations.values()) {
    for (const member of members) t.true((member.type === 'node' ? map.nodes : map.ways).has(member.ref));
    const via = members.find((member) => member.role === 'via');
    if (tags.type !== 'restriction' || via?.type !== 'node') continue;
    restrictions++;
    for (const member of members.filter(({ type }) => type === 'way')) {
      const refs = (map.ways.get(member.ref) as ReadWay).refs;
      t.true(refs[0] === via.ref || refs[refs.length - 1] === via.ref);
    }
  }
  t.true(restrictions > 0);
});

test('towns carry every kind of tag that a build reads', async (t) => {
  const pairs = new Set<string>();
  for (const seed of [1, 2, 3]) {
    const { nodes, ways, relations } = await streetsOf(t, 'town', seed);
    for (const { tags } of [nodes, ways, relations].flatMap((list) => [...list.values()])) {
      for (const [key, value] of Object.entries(tags)) pairs.add(`${key}=${value}`).add(key);
    }
  }
  const wanted = `
    highway=motorway highway=motorway_link highway=trunk highway=primary highway=secondary highway=tertiary
    highway=residential highway=living_street highway=service highway=unclassified highway=track highway=path
    highway=footway highway=cycleway highway=bridleway highway=steps highway=pedestrian highway=construction
    highway=traffic_signals highway=crossing highway=elevator highway=motorway_junction junction=roundabout
    oneway=yes oneway=-1 oneway:bicycle=no cycleway=opposite cycleway=lane cycleway=track cycleway:right
    access=private access=destination access=no surface=cobblestone surface=gravel bicycle=dismount bicycle=designated
    barrier=bollard amenity=parking park_ride=yes amenity=bicycle_parking amenity=bicycle_rental network capacity
    bridge=yes tunnel=yes toll=yes area=yes level=-1 railway=platform public_transport=platform name:de
    maxspeed=30 maxspeed=100 restriction=no_left_turn restriction=only_straight_on except hour_on type=multipolygon`;
  t.deepEqual(
    wanted
      .trim()
      .split(/\s+/)
      .filter((pair) => !pairs.has(pair)),
    [],
  );
});
