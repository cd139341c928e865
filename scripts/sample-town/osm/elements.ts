/** OSM tags; the order of the members is the order written. */
export type Tags = Record<string, string>;

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
