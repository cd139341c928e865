/** Layers of the tiles that are not part of a base map. */
export const TRANSIT_LAYERS: ReadonlySet<string> = new Set(['patterns', 'stops', 'rentals', 'vehicles']);
