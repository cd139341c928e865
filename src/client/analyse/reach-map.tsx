/** The analysis on the map: the area that is reached, the origins, and the time under the pointer. */

import { useSignalEffect } from '@preact/signals';
import type { MapMouseEvent } from 'maplibre-gl';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { boundsAround } from '../map/bounds.js';
import type { MapView } from '../map/map-view.js';
import { Picture } from '../map/picture.js';
import { Pin } from '../map/pin.js';
import { placeAt } from '../map/place-at.js';
import { mapView } from '../map/shown-map.js';
import { change, state } from '../state/address.js';
import { type Position, placeText } from '../state/place.js';
import { sheetHeight } from '../state/sheet-size.js';
import { duration } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { paintDifference, paintTimes } from './painting.js';
import type { Reach } from './reach.js';
import { arePlacesColoured } from './reach-query.js';
import { SecondMap } from './second-map.js';
import type { TravelTimes } from './travel-times.js';

/** Everything that the analysis draws. */
export function ReachMap({ reach }: { reach: Reach }) {
  const two = state.compare.value !== 'none' && state.compareAs.value === 'sides';
  const isOtherOrigin = state.compare.value === 'origin';
  const [second, setSecond] = useState<MapView>();
  const view = mapView.value;
  useGround(reach, view, 0);
  useFirstFit(reach, view);
  return (
    <>
      {two && <SecondMap view={second} onChange={setSecond} />}
      {two && second && <SecondGround reach={reach} view={second} />}
      {view && <OriginPin reach={reach} on={view} side={0} />}
      {two && !isOtherOrigin && <OriginPin reach={reach} on={second} side={0} />}
      {isOtherOrigin && <OriginPin reach={reach} on={two ? second : view} side={1} />}
      {view && <PointerTime reach={reach} on={view} />}
      {two && second && <PointerTime reach={reach} on={second} />}
    </>
  );
}

/** Moves the map to the first result if an origin is out of sight or it is too small to be seen. */
function useFirstFit(reach: Reach, view: MapView | undefined): void {
  const isThere = reach.reached.value !== undefined;
  useLayoutEffect(() => {
    const { times = [], query } = reach.reached.peek() ?? {};
    const area = boundsAround(times.flatMap(cornersOf));
    if (!view || !query || !area) return;
    const [west, , east] = area;
    const width = view.map.project([east, 0]).x - view.map.project([west, 0]).x;
    const isTooSmall = width < view.map.getContainer().clientWidth / 3;
    const areInSight = query.sides.every(({ origin }) => isInSight(view, origin));
    if (isTooSmall || !areInSight) view.fit(area, { maxZoom: 16 });
  }, [reach, view, isThere]);
}

/** The south-western and north-eastern corner of what is reached; none if nothing is. */
function cornersOf({ seconds, bounds: [west, south, east, north] }: TravelTimes): Array<[lon: number, lat: number]> {
  if (seconds.every(Number.isNaN)) return [];
  return [
    [west, south],
    [east, north],
  ];
}

function isInSight({ map }: MapView, { lat, lon }: Position): boolean {
  const { x, y } = map.project([lon, lat]);
  const { clientWidth, clientHeight } = map.getContainer();
  return x >= 0 && x <= clientWidth && y >= 0 && y <= clientHeight - sheetHeight();
}

function SecondGround({ reach, view }: { reach: Reach; view: MapView }) {
  useGround(reach, view, 1);
  return null;
}

/** Paints the area of one side, or on the first map the difference of both. */
function useGround(reach: Reach, view: MapView | undefined, side: 0 | 1): void {
  const picture = useMemo(() => new Picture(), []);
  useLayoutEffect(() => view && picture.addTo(view), [view, picture]);
  useSignalEffect(() => {
    const reached = reach.reached.value;
    const [first, second] = reached?.times ?? [];
    const own = side === 0 ? first : second;
    if (!reached || !own || arePlacesColoured()) return picture.clear();
    const detail = reached.query.dragged ? 'coarse' : 'fine';
    const isDifference = side === 0 && first && second && state.compareAs.value === 'difference';
    const style = { drawing: state.drawing.value, cutoffs: reached.query.cutoffs };
    const corners = isDifference
      ? paintDifference(picture.canvas, first, second, detail)
      : paintTimes(picture.canvas, own, style, detail);
    picture.show(corners);
    // Measurements count by it how often the map follows the mouse.
    performance.mark('analysis-painted');
  });
}

/** The mark of an origin; the area follows it while it is dragged. */
function OriginPin({ reach, on, side }: { reach: Reach; on: MapView | undefined; side: 0 | 1 }) {
  const at = side === 0 ? state.origin.value : state.otherOrigin.value;
  if (!at || !on) return null;
  const label = t(side === 0 ? 'analyse.origin' : 'analyse.otherOrigin');
  return (
    <Pin
      at={at}
      on={on}
      look={side === 0 ? 'origin' : 'origin other'}
      label={t('common.labelled', { label, text: placeText(at) })}
      onDrag={(x, y) => {
        const { lat, lng } = on.map.unproject([x, y]);
        followDrag(reach, side, { lat, lon: lng });
      }}
      onDrop={(x, y) => {
        const place = placeAt(on.map, x, y);
        change(side === 0 ? { origin: place } : { otherOrigin: place });
      }}
    />
  );
}

/** Searches from where the origin is being dragged; windows of departures take too long for that. */
function followDrag(reach: Reach, side: 0 | 1, origin: { lat: number; lon: number }): void {
  const query = reach.latest;
  if (!query || query.window > 0) return;
  const isSameOrigin = state.compare.value !== 'origin';
  const sides = query.sides.map((one, position) => (isSameOrigin || position === side ? { ...one, origin } : one));
  reach.compute({ ...query, sides, dragged: true });
}

/** The time to the place under the pointer. */
function PointerTime({ reach, on }: { reach: Reach; on: MapView }) {
  const [at, setAt] = useState<{ x: number; y: number; lat: number; lon: number }>();
  useLayoutEffect(() => {
    const move = ({ point, lngLat }: MapMouseEvent) =>
      setAt({ x: point.x, y: point.y, lat: lngLat.lat, lon: lngLat.lng });
    const [moves, leaves] = [on.map.on('mousemove', move), on.map.on('mouseout', () => setAt(undefined))];
    return () => {
      moves.unsubscribe();
      leaves.unsubscribe();
    };
  }, [on]);
  const reached = reach.reached.value;
  if (!at || !reached) return null;
  const texts = reached.times.map((times) => {
    const seconds = times.at(at.lat, at.lon);
    return seconds === undefined ? '–' : duration(seconds, locale.value);
  });
  if (texts.every((text) => text === '–')) return null;
  const box = on.map.getContainer().getBoundingClientRect();
  return (
    <output class="pointer-time" style={{ left: `${box.left + at.x + 14}px`, top: `${box.top + at.y + 14}px` }}>
      {texts.length === 1 ? texts[0] : texts.map((text, side) => <span key={side}>{`${'AB'[side]} ${text}`}</span>)}
    </output>
  );
}
