/** The element of the map. */

import { effect } from '@preact/signals';
import { ScaleControl } from 'maplibre-gl';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RouterInfo } from '../api/answers.js';
import { units } from '../state/preferences.js';
import { isNarrow, SIZES, sheetHeight } from '../state/sheet-size.js';
import { useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { firstBoundsOf } from './bounds.js';
import { followTheme } from './follow-theme.js';
import { type Covered, MapView } from './map-view.js';
import { mapView } from './shown-map.js';

/** Free space around an area that the map is moved to, pixels. */
const MARGIN = 40;
/** The largest share of the visible height for the space above an area, and as much below it. */
const MARGIN_SHARE = 0.125;

/** Width of the buttons at the right, pixels. */
const BUTTONS = 44;
/** Height of the buttons at the top of a narrow screen that is upright, and of the space above them, pixels. */
const TOP_BUTTONS = 56;
/** Height of a pin, which is above its place, pixels. */
const PIN = 40;
/**
 * The largest share of the visible height for a pin. A whole one fits where 150 pixels are visible, as on a small phone
 * turned on its side; below that, the distance between start and destination matters more.
 */
const PIN_SHARE = 0.27;

/** The space that the sheet and the buttons cover. */
function covered(): Covered {
  const { innerWidth: width, innerHeight: height } = window;
  // A sheet over nearly everything is moved down before anybody looks at the map.
  const sheet = Math.min(sheetHeight(), height * SIZES.half);
  const margin = Math.min(MARGIN, (height - sheet) * MARGIN_SHARE);
  const hasTopButtons = isNarrow.value && height > width;
  const top = hasTopButtons ? margin + TOP_BUTTONS : Math.max(margin, Math.min(PIN, (height - sheet) * PIN_SHARE));
  return { top, right: margin + BUTTONS, bottom: margin + sheet, left: margin };
}

/** The map in the element; undefined where the browser has nothing to draw it with. */
function openMap(element: HTMLElement, info: RouterInfo): MapView | undefined {
  try {
    return new MapView(element, firstBoundsOf(info), covered());
  } catch (error) {
    if (document.createElement('canvas').getContext('webgl2') !== null) throw error;
    return undefined;
  }
}

/** The map of the router that is shown, in the theme of the page. */
export function MapCanvas() {
  const { info, api } = useShown();
  const { server } = useApp();
  const element = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  useLayoutEffect(() => {
    if (!element.current) return;
    const view = openMap(element.current, info);
    setMissing(view === undefined);
    if (!view) return;
    mapView.value = view;
    const stopTheme = followTheme(view, api, server.baseMap);
    const cover = () => {
      view.covered = covered();
    };
    const stopCover = effect(cover);
    view.map.on('resize', cover);
    const scale = new ScaleControl({ maxWidth: 90 });
    view.map.addControl(scale, 'bottom-right');
    const stopUnits = effect(() => scale.setUnit(units.value));
    return () => {
      stopUnits();
      stopTheme();
      stopCover();
      mapView.value = undefined;
      view.remove();
    };
  }, [info, api, server]);
  useLayoutEffect(() => {
    const canvas = mapView.value?.map.getCanvas();
    // A landmark of its own by default; the part of the page with the map is one already.
    canvas?.setAttribute('role', 'application');
    canvas?.setAttribute('aria-label', t('common.map'));
  });
  return (
    <>
      <div class={`map${isNarrow.value ? ' narrow' : ''}`} ref={element} />
      {isMissing && (
        <p class="map-missing" role="alert">
          {t('common.noMap')}
        </p>
      )}
    </>
  );
}
