/** The user who changes something on the server. Kept in memory only, never in the address or the browser's storage. */

import { signal } from '@preact/signals';

/** A name and a password. */
export interface Login {
  readonly name: string;
  readonly password: string;
}

export const login = signal<Login | undefined>(undefined);

/** How requests identify their sender; browsers must not ask for a password on their own. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: 'omit';
}

/** The headers of requests that need a role; without a login they are refused. */
export function loginCredentials(): Credentials {
  const known = login.value;
  if (!known) return { headers: {}, credentials: 'omit' };
  const bytes = new TextEncoder().encode(`${known.name}:${known.password}`);
  return { headers: { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }, credentials: 'omit' };
}
