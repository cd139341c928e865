/** OSM tags; the order of the members is the order written. */
export type Tags = Record<string, string>;

/** A member of a relation. */
export interface Member {
  type: 'node' | 'way';
  ref: number;
  role: string;
}

/** Degrees. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/**
 * Takes OSM elements and writes them to one file. Each kind must come in order of its ids; ways and relations may be
 * given between nodes (they are kept, already encoded, until the nodes are written).
 */
export interface OsmSink {
  node(id: number, lat: number, lon: number, tags?: Tags): void;
  way(id: number, refs: readonly number[], tags: Tags): void;
  relation(id: number, members: readonly Member[], tags: Tags): void;
  /** Writes what is kept and closes the file. */
  finish(): void;
}
