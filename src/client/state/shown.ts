/** The state that all panels share: the server, its routers and the router that is shown. */

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Calendar, RouterInfo } from '../api/answers.js';
import type { RouterApi, Server } from '../api/server.js';
import { state } from './address.js';

/** The router that is shown, with what panels need to know about it from the start. */
export interface Shown {
  readonly info: RouterInfo;
  readonly calendar: Calendar;
  readonly api: RouterApi;
}

/** The server and its routers. */
export class App {
  readonly #routers: Signal<readonly RouterInfo[]>;

  constructor(
    readonly server: Server,
    routers: readonly RouterInfo[],
  ) {
    this.#routers = signal(routers);
  }

  get routers(): readonly RouterInfo[] {
    return this.#routers.value;
  }

  /** Requests the routers from the server again. Unchanged ones stay the same objects. */
  async findRouters(): Promise<void> {
    const before = new Map(this.#routers.peek().map((router) => [JSON.stringify(router), router]));
    const found = await this.server.routers();
    this.#routers.value = found.map((router) => before.get(JSON.stringify(router)) ?? router);
  }
}

export const AppContext = createContext<App | undefined>(undefined);
export const ShownContext = createContext<Shown | undefined>(undefined);

/** The server and its routers. */
export function useApp(): App {
  return present(useContext(AppContext));
}

/** The router that is shown. Panels are rendered again for another router. */
export function useShown(): Shown {
  return present(useContext(ShownContext));
}

/** The chosen router; undefined when the address names one that does not exist. */
export function chosenRouter(app: App): ReadonlySignal<RouterInfo | undefined> {
  return computed(() => {
    const id = state.router.value;
    const { routers } = app;
    return id === '' ? routers[0] : routers.find(({ routerId }) => routerId === id);
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('used outside the page');
  return value;
}

/** The id of a router as a title; that of the root graph is empty. */
export function routerName(id: string): string {
  return id === '' ? '/' : id;
}
