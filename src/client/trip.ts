/** What the tools share: the router and the two places. Kept in the address, so that a link shows the same. */

import type { RouterInfo } from './api/answers.js';
import { coordinate, parseCoordinate } from './text/format.js';

/** Which end of the trip. */
export type End = 'from' | 'to';

/** A place on the map. */
export interface Spot {
  lat: number;
  lon: number;
  /** The text that the user chose it by. */
  name?: string;
}

type Change = 'router' | End;

/** The router and the places, with listeners to their changes. */
export class Trip {
  private readonly listeners: Array<(change: Change) => void> = [];
  private readonly spots: Partial<Record<End, Spot>> = {};
  private chosen: RouterInfo;

  /** @param routers at least one. */
  constructor(
    readonly routers: readonly [RouterInfo, ...RouterInfo[]],
    hash: string,
  ) {
    const known = new URLSearchParams(hash.replace(/^#/, ''));
    this.chosen = routers.find(({ routerId }) => routerId === known.get('router')) ?? routers[0];
    for (const end of ['from', 'to'] as const) {
      const spot = parseCoordinate(known.get(end) ?? '');
      if (spot) this.spots[end] = spot;
    }
  }

  get router(): RouterInfo {
    return this.chosen;
  }

  spot(end: End): Spot | undefined {
    return this.spots[end];
  }

  /** Places of one router are useless with another. */
  chooseRouter(id: string): void {
    const router = this.routers.find(({ routerId }) => routerId === id);
    if (!router || router === this.chosen) return;
    this.chosen = router;
    delete this.spots.from;
    delete this.spots.to;
    this.tell('router');
  }

  setSpot(end: End, spot: Spot | undefined): void {
    if (spot) this.spots[end] = spot;
    else delete this.spots[end];
    this.tell(end);
  }

  swap(): void {
    const { from, to } = this.spots;
    this.setSpot('from', to);
    this.setSpot('to', from);
  }

  onChange(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  private tell(change: Change): void {
    const hash = new URLSearchParams({ router: this.chosen.routerId });
    for (const end of ['from', 'to'] as const) {
      const spot = this.spots[end];
      if (spot) hash.set(end, coordinate(spot));
    }
    history.replaceState(null, '', `#${hash}`);
    for (const listener of this.listeners) listener(change);
  }
}
