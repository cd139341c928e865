/** Requests to the server that this page came from. */

import type { FoundPlace, Isochrones, PlanAnswer, RentalStation, RouterInfo, Stop } from './answers.js';

/** An answer with an error status. */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text.trim() === '' ? `The server answered with status ${status}.` : text.trim());
  }
}

/** A rectangle on the map, in degrees. */
export interface Box {
  minLat: number;
  minLon: number;
  maxLat: number;
  maxLon: number;
}

/** The parts of the server's interface that the client uses. Every method rejects with `RequestFailed`. */
export class Server {
  /** @param base address of the interface without a slash at the end. */
  constructor(readonly base: string) {}

  /** Asks the server where its interface is. */
  static async find(): Promise<Server> {
    const { mount } = await fetchJson<{ mount: string }>('client-settings.json');
    return new Server(new URL(`.${mount}`, document.baseURI).href.replace(/\/$/, ''));
  }

  async routers(): Promise<RouterInfo[]> {
    return (await fetchJson<{ routerInfo: RouterInfo[] }>(`${this.base}/routers`)).routerInfo;
  }

  plan(router: string, query: URLSearchParams, signal: AbortSignal): Promise<PlanAnswer> {
    return fetchJson(`${this.router(router)}/plan?${query}`, { signal });
  }

  isochrones(router: string, query: URLSearchParams, signal: AbortSignal): Promise<Isochrones> {
    return fetchJson(`${this.router(router)}/isochrone?${query}`, { signal });
  }

  stopsIn(router: string, box: Box, signal: AbortSignal): Promise<Stop[]> {
    const query = new URLSearchParams(Object.entries(box).map(([name, value]) => [name, String(value)]));
    return fetchJson(`${this.router(router)}/index/stops?${query}`, { signal });
  }

  /** Stops, corners, places and addresses whose names begin with `text`. */
  search(router: string, text: string, signal: AbortSignal): Promise<FoundPlace[]> {
    const query = new URLSearchParams({ query: text, autocomplete: 'true', places: 'true' });
    return fetchJson(`${this.router(router)}/geocode?${query}`, { signal });
  }

  async rentalStations(router: string): Promise<RentalStation[]> {
    return (await fetchJson<{ stations: RentalStation[] }>(`${this.router(router)}/bike_rental`)).stations;
  }

  async inspectorLayers(router: string): Promise<Array<{ key: string; name: string }>> {
    type Layers = { layers: Array<{ key: string; name: string }> };
    return (await fetchJson<Layers>(`${this.router(router)}/inspector/layers`)).layers;
  }

  /** Template of an inspector layer's tiles. */
  inspectorTiles(router: string, layer: string): string {
    return `${this.router(router)}/inspector/tile/${layer}/{z}/{x}/{y}.png`;
  }

  /** Whether the server keeps surfaces. */
  async hasSurfaces(): Promise<boolean> {
    return (await fetch(`${this.base}/surfaces`)).ok;
  }

  /** Starts a surface; its id. */
  async createSurface(query: URLSearchParams, signal: AbortSignal): Promise<number> {
    return (await fetchJson<{ id: number }>(`${this.base}/surfaces?${query}`, { method: 'POST', signal })).id;
  }

  /** Template of a surface's tiles. */
  surfaceTiles(id: number): string {
    return `${this.base}/surfaces/${id}/isotiles/{z}/{x}/{y}.png`;
  }

  /** Picture that explains the colours of a surface. */
  legend(): string {
    return `${this.base}/analyst/legend.png?width=260&height=28`;
  }

  private router(id: string): string {
    return `${this.base}/routers/${encodeURIComponent(id)}`;
  }
}

async function fetchJson<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new RequestFailed(response.status, await response.text());
  return response.json();
}
