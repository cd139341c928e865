/** Requests to the server that this page came from. */

import type { StyleSpecification } from 'maplibre-gl';
import type {
  AlertPatch,
  AlertPatches,
  RentalStation,
  RentalStations,
  Vehicle,
  Vehicles,
} from '../../serialization/answers/index.js';
import type { Theme } from '../state/preferences.js';
import type { Calendar, FoundPlace, PlanAnswer, RouterInfo } from './answers.js';
import { RequestFailed } from './problem.js';
import { requestJson } from './request.js';

/** A map from other servers, as in `baseMap` of the server's configuration. */
export interface BaseMap {
  readonly style?: string;
  readonly darkStyle?: string;
  readonly tiles?: string;
  readonly attribution?: string;
}

/** What the server tells its client first. */
interface ClientSettings {
  readonly mount: string;
  readonly baseMap?: BaseMap;
  readonly insecure?: boolean;
}

/** The id of something that alerts may be about. */
export type AlertSubject = [kind: 'stop' | 'route' | 'trip', id: string];

/** The server's interface; every method rejects as `requestJson` does. */
export class Server {
  constructor(
    /** Address of the interface without a slash at the end. */
    readonly base: string,
    /** The map from other servers that the operator has chosen. */
    readonly baseMap?: BaseMap,
    /** Whether everybody may do everything, without an account. */
    readonly insecure = false,
  ) {}

  /** Asks the server where its interface is. */
  static async find(): Promise<Server> {
    const { mount, baseMap, insecure } = await requestJson<ClientSettings>('client-settings.json');
    return new Server(new URL(`.${mount}`, document.baseURI).href.replace(/\/$/, ''), baseMap, insecure);
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

  /** The days with service. */
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
  placesNamed(text: string, signal: AbortSignal): Promise<FoundPlace[]> {
    const query = new URLSearchParams({ query: text, autocomplete: 'true', places: 'true' });
    return requestJson(`${this.base}/geocode?${query}`, { signal });
  }

  /** Queries the transit index; rejects when there are errors instead of an answer. */
  async graphql<T>(query: string, variables: object, signal?: AbortSignal): Promise<T> {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal,
    };
    const answer = await requestJson<{ data?: T | null; errors?: Array<{ message: string }> }>(
      `${this.base}/index/graphql`,
      init,
    );
    if (answer.data) return answer.data;
    throw new RequestFailed({ kind: 'refused', text: answer.errors?.[0]?.message });
  }

  /** Ids of the stops whose names begin with `text`, the best match first. */
  async stopsNamed(text: string, signal: AbortSignal): Promise<string[]> {
    const query = new URLSearchParams({ query: text, autocomplete: 'true', corners: 'false' });
    const [feeds, found] = await Promise.all([
      requestJson<string[]>(`${this.base}/index/feeds`, { signal }),
      requestJson<FoundPlace[]>(`${this.base}/geocode?${query}`, { signal }),
    ]);
    return found.map(({ id = '' }) => {
      // Here the interface writes ids of stops with an underscore after the feed; everywhere else it writes a colon.
      const feed = feeds.find((known) => id.startsWith(`${known}_`));
      return feed === undefined ? id : `${feed}:${id.slice(feed.length + 1)}`;
    });
  }

  /** Alerts about some stops, routes and trips, or about all of them; with texts in a language if they have it. */
  async alerts(locale: string, about: AlertSubject[], signal?: AbortSignal): Promise<AlertPatch[]> {
    const query = new URLSearchParams([['locale', locale], ...about]);
    const { alertPatches } = await requestJson<AlertPatches>(`${this.base}/alerts?${query}`, { signal });
    return alertPatches ?? [];
  }

  /** Vehicles of feeds with vehicle positions. */
  async vehicles(signal?: AbortSignal): Promise<Vehicle[]> {
    return (await requestJson<Vehicles>(`${this.base}/vehicles`, { signal })).vehicles;
  }

  /** Rental stations and free-floating bikes. */
  async rentals(signal?: AbortSignal): Promise<RentalStation[]> {
    return (await requestJson<RentalStations>(`${this.base}/bike_rental`, { signal })).stations;
  }
}
