/** Identifies users by passwords (scrypt) and bearer tokens (SHA-256), compared in constant time. */

import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { TokenConfig, UserConfig } from '../config/server-settings.js';
import { MAX_HASH_MEMORY, type PasswordHash, parsePasswordHash, SHA256_FORM } from '../config/text-forms.js';
import { ClientTurns } from './client-turns.js';

/** An authenticated user. */
export interface Principal {
  readonly name: string;
  readonly roles: ReadonlySet<string>;
}

/** The content of an Authorization header; `none` for an unknown scheme or no header. */
export type Credentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'none' };

const KEY_LENGTH = 32;
/** About 50 ms and 32 MB for one check. */
const DEFAULT_COST = 2 ** 15;
/** More checks at once would take memory and threads from other work. */
const MAX_CHECKS = 2;
/** For all clients together. */
const MAX_WAITING_CHECKS = 200;
const MAX_REMEMBERED = 1000;

/** A hash for the `password` of a user in the configuration. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const parameters = { cost: DEFAULT_COST, blockSize: 8, parallelization: 1, salt, hash: Buffer.alloc(KEY_LENGTH) };
  const hash = await derive(password, parameters);
  return `scrypt$${DEFAULT_COST}$8$1$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Reads an Authorization header. A Basic one without a colon counts as none. */
export function readCredentials(header: string | undefined): Credentials {
  const [scheme = '', value = ''] = (header ?? '').trim().split(/\s+/, 2);
  if (scheme.toLowerCase() === 'bearer' && value !== '') return { kind: 'bearer', token: value };
  if (scheme.toLowerCase() !== 'basic') return { kind: 'none' };
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) return { kind: 'none' };
  return { kind: 'basic', user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Checks credentials against the configuration. There are no built-in users. */
export class Authenticator {
  readonly #users: Map<string, { principal: Principal; hash: PasswordHash }>;
  readonly #tokens: { principal: Principal; digest: Buffer }[];
  /**
   * Verified passwords as keyed digests, so that a client waits for scrypt only once. The key never leaves the process.
   */
  readonly #verified = new Map<string, Principal>();
  readonly #key = randomBytes(32);
  readonly #decoy: PasswordHash;
  readonly #turns = new ClientTurns(MAX_CHECKS, MAX_WAITING_CHECKS);

  /** Throws when a hash of the configuration has an unknown form. */
  constructor(users: readonly UserConfig[], tokens: readonly TokenConfig[]) {
    this.#users = new Map(
      users.map((user) => [user.name, { principal: principal(user), hash: parseHash(user.password, user.name) }]),
    );
    this.#tokens = tokens.map((token) => ({ principal: principal(token), digest: parseDigest(token) }));
    const salt = randomBytes(16);
    const hash = randomBytes(KEY_LENGTH);
    this.#decoy = { cost: DEFAULT_COST, blockSize: 8, parallelization: 1, salt, hash };
  }

  /** The owner of a bearer token; compares all of them, even after a match. */
  byToken(token: string): Principal | undefined {
    const digest = createHash('sha256').update(token).digest();
    let found: Principal | undefined;
    for (const known of this.#tokens) {
      if (timingSafeEqual(known.digest, digest)) found = known.principal;
    }
    return found;
  }

  /** The user with this password, if it was verified before. */
  remembered(user: string, password: string): Principal | undefined {
    return this.#verified.get(this.#digest(user, password));
  }

  /**
   * The user with this password. An unknown user takes as long as a wrong password. Clients take turns, so a client
   * that tries many passwords delays each of the others by one check at most. Throws `BusyError` when too many wait.
   */
  async byPassword(user: string, password: string, client: string): Promise<Principal | undefined> {
    const known = this.#users.get(user);
    const { hash } = known ?? { hash: this.#decoy };
    const derived = await this.#turns.take(client, () => derive(password, hash));
    const matches = timingSafeEqual(derived, hash.hash);
    if (known === undefined || !matches) return undefined;
    if (this.#verified.size >= MAX_REMEMBERED) this.#verified.clear();
    this.#verified.set(this.#digest(user, password), known.principal);
    return known.principal;
  }

  #digest(user: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${user.length}:${user}:${password}`).digest('base64');
  }
}

/** `ROLE_ROUTERS` and `ROUTERS` are the same role. */
function principal({ name, roles }: { name: string; roles: readonly string[] }): Principal {
  return { name, roles: new Set(roles.map((role) => role.replace(/^ROLE_/, ''))) };
}

function parseHash(text: string, user: string): PasswordHash {
  const parsed = parsePasswordHash(text);
  if (parsed === undefined) {
    throw new Error(`user ${user}: the password must be a hash printed by "trestle hash-password"`);
  }
  return parsed;
}

function parseDigest({ name, sha256 }: TokenConfig): Buffer {
  if (!SHA256_FORM.fits(sha256)) throw new Error(`token ${name}: sha256 must be 64 hexadecimal digits`);
  return Buffer.from(sha256, 'hex');
}

function derive(password: string, { cost, blockSize, parallelization, salt, hash }: PasswordHash): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallelization, maxmem: MAX_HASH_MEMORY };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hash.length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
