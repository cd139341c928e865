/** Requests to the server that this page came from. */

import type { StyleSpecification } from 'maplibre-gl';
import type { Theme } from '../state/preferences.js';
import type { Calendar, FoundPlace, PlanAnswer, RouterInfo } from './answers.js';
import { requestJson } from './request.js';

/** A map from other servers, as `baseMap` of the server's configuration. */
export interface BaseMap {
  readonly style?: string;
  readonly darkStyle?: string;
  readonly tiles?: string;
  readonly attribution?: string;
}

/** The server's interface; every method rejects as `requestJson` does. */
export class Server {
  constructor(
    /** Address of the interface without a slash at the end. */
    readonly base: string,
    /** The map from other servers that the operator has chosen. */
    readonly baseMap?: BaseMap,
  ) {}

  /** Asks the server where its interface is. */
  static async find(): Promise<Server> {
    const { mount, baseMap } = await requestJson<{ mount: string; baseMap?: BaseMap }>('client-settings.json');
    return new Server(new URL(`.${mount}`, document.baseURI).href.replace(/\/$/, ''), baseMap);
  }

  async routers(): Promise<RouterInfo[]> {
    return (await requestJson<{ routerInfo: RouterInfo[] }>(`${this.base}/routers`)).routerInfo;
  }

  /** Requests about one router. */
  router(id: string): RouterApi {
    return new RouterApi(`${this.base}/routers/${encodeURIComponent(id)}`);
  }
}

/** Requests about one router. */
export class RouterApi {
  /** @param base address of the router without a slash at the end. */
  constructor(readonly base: string) {}

  /** Its service days. */
  calendar(): Promise<Calendar> {
    return requestJson(`${this.base}/serviceDays`);
  }

  style(theme: Theme): Promise<StyleSpecification> {
    return requestJson(`${this.base}/vectorTiles/style.json?theme=${theme}`);
  }

  plan(query: URLSearchParams, signal: AbortSignal): Promise<PlanAnswer> {
    return requestJson(`${this.base}/plan?${query}`, { signal });
  }

  /** Stops, corners, places and addresses whose names begin with `text`. */
  search(text: string, signal: AbortSignal): Promise<FoundPlace[]> {
    const query = new URLSearchParams({ query: text, autocomplete: 'true', places: 'true' });
    return requestJson(`${this.base}/geocode?${query}`, { signal });
  }
}
