/** Buttons on the map, and the sources of its data. */

import { useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { IconButton } from '../ui/controls.js';
import { boundsOf } from './bounds.js';
import { mapView } from './shown-map.js';

/** Zoom, and return to the whole area; nothing without a map. */
export function MapControls() {
  const { info } = useShown();
  const map = () => mapView.value?.map;
  if (mapView.value === undefined) return null;
  return (
    <div class="map-controls">
      <IconButton icon="plus" label={t('common.zoomIn')} onClick={() => map()?.zoomIn()} />
      <IconButton icon="minus" label={t('common.zoomOut')} onClick={() => map()?.zoomOut()} />
      <IconButton icon="extent" label={t('common.showAll')} onClick={() => mapView.value?.fit(boundsOf(info))} />
    </div>
  );
}
