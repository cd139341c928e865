/** Tiles that the server, or the network, has failed to bring. */

import type { ErrorEvent, Map as MapLibreMap, VectorTileSource } from 'maplibre-gl';
import { isRefused, retryPause } from '../api/problem.js';

/** An error of the map library; without `tile` it concerns the description of the source. */
interface SourceError extends ErrorEvent {
  readonly sourceId?: string;
  readonly tile?: { readonly tileID: { readonly canonical: TilePosition } };
}

type TilePosition = Readonly<Record<'x' | 'y' | 'z', number>>;

/**
 * Requests tiles again that could not be loaded, and descriptions of sources; they would be missing until the tiles are
 * out of sight, or for ever. The pauses grow until a tile comes. What a server refuses stays so. Returns a function that
 * ends this.
 */
export function retryTiles(map: MapLibreMap): () => void {
  const failed = new Map<string, TilePosition[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const again = () => {
    timer = undefined;
    const wanted = [...failed];
    failed.clear();
    for (const [id, tiles] of wanted) {
      const source = map.getSource<VectorTileSource>(id);
      if (source && tiles.length > 0) map.refreshTiles(id, tiles);
      else if (source?.url) source.setUrl(source.url);
    }
  };
  const errors = map.on('error', (event) => {
    const { error, sourceId, tile } = event as SourceError;
    if (sourceId === undefined || isRefused(error)) return console.error(error);
    const tiles = failed.get(sourceId) ?? [];
    failed.set(sourceId, tile ? [...tiles, tile.tileID.canonical] : tiles);
    if (timer !== undefined) return;
    failures += 1;
    timer = setTimeout(again, retryPause(failures));
  });
  const successes = map.on('sourcedata', ({ tile, source }) => {
    // What panels draw has tiles too, which come from the page.
    if (tile !== undefined && source.type !== 'geojson') failures = 0;
  });
  return () => {
    errors.unsubscribe();
    successes.unsubscribe();
    clearTimeout(timer);
  };
}
