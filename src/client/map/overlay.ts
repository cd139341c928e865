/** The features that panels draw on the map. */

import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { Theme } from '../state/preferences.js';

/** Sources and layers that belong together. Their ids begin with that of the overlay. */
export interface Overlay {
  /** Unique on the map. */
  readonly id: string;
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  /** Layers from below to above. */
  layers(theme: Theme): LayerSpecification[];
}
