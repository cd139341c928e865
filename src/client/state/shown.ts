/** What all panels share: the server, its routers and the one that is shown. */

import { computed, type ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Calendar, RouterInfo } from '../api/answers.js';
import type { RouterApi, Server } from '../api/server.js';
import { state } from './address.js';

/** The router that is shown, with what panels need to know of it from the start. */
export interface Shown {
  readonly info: RouterInfo;
  readonly calendar: Calendar;
  readonly api: RouterApi;
}

/** The server and its routers. */
export interface App {
  readonly server: Server;
  readonly routers: readonly RouterInfo[];
}

export const AppContext = createContext<App | undefined>(undefined);
export const ShownContext = createContext<Shown | undefined>(undefined);

/** The server and its routers. */
export function useApp(): App {
  return present(useContext(AppContext));
}

/** The router that is shown. Panels are drawn anew for another router. */
export function useShown(): Shown {
  return present(useContext(ShownContext));
}

/** The chosen one of these routers; undefined when the address names another. */
export function chosenRouter(routers: readonly RouterInfo[]): ReadonlySignal<RouterInfo | undefined> {
  return computed(() => {
    const id = state.router.value;
    return id === '' ? routers[0] : routers.find(({ routerId }) => routerId === id);
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('used outside of the page');
  return value;
}
