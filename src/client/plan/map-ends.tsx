/** Start, destination and places on the way, as marks on the map, and the menu that sets them. */

import { signal } from '@preact/signals';
import type { MapMouseEvent } from 'maplibre-gl';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Pin } from '../map/pin.js';
import { placeAt } from '../map/place-at.js';
import { mapView } from '../map/shown-map.js';
import { useMapEvent } from '../map/use-map.js';
import { change, state } from '../state/address.js';
import { type Place, placeText } from '../state/place.js';
import { t } from '../text/texts.js';
import { Button } from '../ui/controls.js';

/** Where the menu is open, and for which place. */
const menu = signal<{ x: number; y: number; place: Place } | undefined>(undefined);

/** The marks and the menu. */
export function MapEnds() {
  useMapEvent('click', onClick);
  useMapEvent('contextmenu', openMenu);
  useMapEvent('movestart', closeMenu);
  useLayoutEffect(() => closeMenu, []);
  const [from, to] = [state.from.value, state.to.value];
  return (
    <>
      {from && <EndPin place={from} look="start" name="plan.from" set={setFrom} />}
      {state.via.value.map((place, index) => (
        <EndPin key={index} place={place} look="via" name="plan.via" set={(moved) => setVia(index, moved)} />
      ))}
      {to && <EndPin place={to} look="end" name="plan.to" set={setTo} />}
      <Menu />
    </>
  );
}

interface EndPinProps {
  place: Place;
  look: string;
  name: 'plan.from' | 'plan.via' | 'plan.to';
  set: (moved: Place) => void;
}

function EndPin({ place, look, name, set }: EndPinProps) {
  const label = t('common.labelled', { label: t(name), text: placeText(place) });
  return <Pin at={place} look={look} label={label} onDrop={at(set)} />;
}

/** The first click sets the start, the second the destination; later ones open the menu. */
function onClick(event: MapMouseEvent): void {
  if (menu.value) return closeMenu();
  if (state.from.value && state.to.value) return openMenu(event);
  const place = placeAt(event.target, event.point.x, event.point.y);
  if (state.from.value) setTo(place);
  else setFrom(place);
}

function openMenu({ point, target }: MapMouseEvent): void {
  menu.value = { ...point, place: placeAt(target, point.x, point.y) };
}

function closeMenu(): void {
  menu.value = undefined;
}

function setFrom(from: Place): void {
  change({ from });
}

function setTo(to: Place): void {
  change({ to });
}

function setVia(index: number, moved: Place): void {
  change({ via: state.via.value.map((place, i) => (i === index ? moved : place)) });
}

/** Calls back with the place at a pixel of the map. */
function at(set: (place: Place) => void): (x: number, y: number) => void {
  return (x, y) => {
    const map = mapView.value?.map;
    if (map) set(placeAt(map, x, y));
  };
}

function Menu() {
  const root = useRef<HTMLDivElement>(null);
  const open = menu.value;
  useLayoutEffect(() => {
    if (!open) return;
    root.current?.querySelector('button')?.focus();
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      closeMenu();
      // The button that has the focus is removed.
      mapView.peek()?.map.getCanvas().focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  const canvas = mapView.value?.map.getCanvas();
  if (!open || !canvas) return null;
  const { x, y, place } = open;
  const box = canvas.getBoundingClientRect();
  const style = {
    left: `${Math.min(box.left + x, window.innerWidth - 216)}px`,
    top: `${Math.min(box.top + y, window.innerHeight - 200)}px`,
  };
  const choose = (set: (place: Place) => void) => () => {
    closeMenu();
    set(place);
  };
  return (
    <div class="map-menu" ref={root} style={style}>
      <p>{placeText(place)}</p>
      <Button kind="quiet" onClick={choose(setFrom)}>
        {t('plan.fromHere')}
      </Button>
      <Button kind="quiet" onClick={choose((via) => change({ via: [...state.via.value, via] }))}>
        {t('plan.viaHere')}
      </Button>
      <Button kind="quiet" onClick={choose(setTo)}>
        {t('plan.toHere')}
      </Button>
    </div>
  );
}
