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
  return login.value ? credentialsOf(login.value) : { headers: {}, credentials: 'omit' };
}

/** The headers of a user's requests. */
export function credentialsOf(known: Login): Credentials {
  const bytes = new TextEncoder().encode(`${known.name}:${known.password}`);
  return { headers: { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }, credentials: 'omit' };
}
