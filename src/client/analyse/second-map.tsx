/** A second map beside the first one, which shows the same area. */

import { useLayoutEffect } from 'preact/hooks';
import { firstBoundsOf } from '../map/bounds.js';
import { followTheme } from '../map/follow-theme.js';
import { MapView } from '../map/map-view.js';
import { placeAt } from '../map/place-at.js';
import { mapView } from '../map/shown-map.js';
import { change, state } from '../state/address.js';
import { useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { drawing } from './scenario-draft.js';

interface SecondMapProps {
  view: MapView | undefined;
  onChange: (view: MapView | undefined) => void;
}

/** The map, in the right half of the space of the first. */
export function SecondMap({ view, onChange }: SecondMapProps) {
  const { info, api } = useShown();
  const { server } = useApp();
  const first = mapView.value;
  useLayoutEffect(() => {
    if (!first) return;
    // Beside the first map, which is not part of the panel.
    const element = document.createElement('div');
    element.className = 'map second';
    first.map.getContainer().after(element);
    document.documentElement.classList.add('two-maps');
    const second = new MapView(element, firstBoundsOf(info), first.covered);
    const unlink = link(first, second);
    const stopTheme = followTheme(second, api, server.baseMap);
    second.map.on('click', ({ point }) => {
      // A scenario is drawn on the first map alone.
      if (drawing.value !== undefined) return;
      const place = placeAt(second.map, point.x, point.y);
      change(state.compare.value === 'origin' ? { otherOrigin: place } : { origin: place });
    });
    onChange(second);
    return () => {
      onChange(undefined);
      stopTheme();
      unlink();
      second.remove();
      element.remove();
      document.documentElement.classList.remove('two-maps');
    };
  }, [first, info, api, server, onChange]);
  useLayoutEffect(() => {
    view?.map.getCanvas().setAttribute('aria-label', t('analyse.secondMap'));
  });
  return (
    <>
      <b class="map-name first">A</b>
      <b class="map-name second">B</b>
    </>
  );
}

/** Moves each map when the other one moves. Returns a function that ends this. */
function link(one: MapView, other: MapView): () => void {
  let moving = false;
  const follow = (leader: MapView, follower: MapView) => () => {
    if (moving) return;
    moving = true;
    follower.map.jumpTo({ center: leader.map.getCenter(), zoom: leader.map.getZoom() });
    moving = false;
  };
  follow(one, other)();
  const subscriptions = [one.map.on('move', follow(one, other)), other.map.on('move', follow(other, one))];
  return () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
}
