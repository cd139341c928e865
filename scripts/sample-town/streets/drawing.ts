import type { Member, Tags } from '../osm/elements.js';
import type { PbfWriter } from '../osm/pbf-writer.js';
import type { Terrain } from '../terrain.js';
import type { PlanPoint } from '../town-plan.js';
import type { Lattice } from './lattice.js';

/** Draws on the map: places points on the terrain, hands out ids, and passes elements on to a file. */
export class Drawing {
  #nextNode: number;
  #nextWay: number;
  #nextRelation = 1;

  constructor(
    readonly lattice: Lattice,
    readonly terrain: Terrain,
    readonly map: PbfWriter,
  ) {
    this.#nextNode = lattice.freeNode;
    this.#nextWay = lattice.freeWay;
  }

  /** A new node; `id` only for nodes of the lattice. */
  node(point: PlanPoint, tags?: Tags, id: number = this.#nextNode++): number {
    const { lat, lon } = this.terrain.locate(point);
    this.map.node(id, lat, lon, tags);
    return id;
  }

  /** A new way; `id` only for ways of the lattice. */
  way(refs: readonly number[], tags: Tags, id: number = this.#nextWay++): number {
    this.map.way(id, refs, tags);
    return id;
  }

  relation(members: readonly Member[], tags: Tags): number {
    const id = this.#nextRelation++;
    this.map.relation(id, members, tags);
    return id;
  }

  /** New nodes along a line of points. */
  nodes(points: readonly PlanPoint[]): number[] {
    return points.map((point) => this.node(point));
  }

  /** A way around an area: new nodes, the first repeated at the end. */
  ring(points: readonly PlanPoint[], tags: Tags): number {
    const refs = this.nodes(points);
    return this.way([...refs, refs[0] as number], tags);
  }
}
