/** What the texts of settings have to look like, so that a wrong one is found with its place in the file. */

import ipaddr from 'ipaddr.js';
import { elementsOf } from '../comma-list.js';
import { type Naming, ROUTE_NAMING, START_NAMING, STOP_NAMING } from '../native/entity-names.js';
import { modesOf, readQualifiedMode } from '../native/modes.js';
import { isAddress, parseNetwork } from './networks.js';
import { isObjectAddress, parseObjectAddress } from './object-address.js';
import { isLegalRouterId, LEGAL_CHARACTERS } from './router-id.js';

export interface TextForm {
  fits(text: string): boolean;
  /** Names the form in messages. */
  readonly expected: string;
  /** Such texts may be passwords, so no message repeats them. */
  readonly isSecret?: true;
}

/** The hash of a password, with what scrypt needs to compute it again. */
export interface PasswordHash {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** The most memory that scrypt may take for one password. */
export const MAX_HASH_MEMORY = 256 * 1024 ** 2;
/** The fewest bytes of a hash. Many passwords share a shorter one, and all share one without any bytes. */
const LEAST_HASH_BYTES = 16;
const HASH_PATTERN = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/=_-]+)\$([A-Za-z0-9+/=_-]+)$/;

/** Reads `scrypt$N$r$p$salt$hash`; undefined for other texts, numbers that scrypt refuses, and hashes that are too short. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, n, r, p, salt = '', hash = ''] = HASH_PATTERN.exec(text) ?? [];
  const [cost, blockSize, parallelization] = [Number(n), Number(r), Number(p)];
  if (n === undefined || !Number.isInteger(Math.log2(cost)) || cost < 2 || blockSize < 1 || parallelization < 1) {
    return undefined;
  }
  if (128 * blockSize * (cost + parallelization + 2) > MAX_HASH_MEMORY) return undefined;
  const bytes = Buffer.from(hash, 'base64');
  if (bytes.length < LEAST_HASH_BYTES) return undefined;
  return { cost, blockSize, parallelization, salt: Buffer.from(salt, 'base64'), hash: bytes };
}

export const MODES_FORM: TextForm = {
  fits: (text) => modesOf(text).every((mode) => typeof readQualifiedMode(mode) !== 'string'),
  expected: 'modes such as TRANSIT,WALK or BICYCLE_RENT',
};

export const STOPS_FORM = listForm('stops', STOP_NAMING);

export const ROUTES_FORM = listForm('routes', ROUTE_NAMING);

/** A stop or trip where a request begins. */
export const START_FORM: TextForm = {
  fits: (text) => START_NAMING.read(text) !== undefined,
  expected: `an id in the form ${START_NAMING.form}`,
};

function listForm(what: string, { read, form }: Naming<unknown>): TextForm {
  return {
    fits: (text) => elementsOf(text).every((element) => read(element) !== undefined),
    expected: `${what} in the form ${form}`,
  };
}

export const ROUTER_FORM: TextForm = { fits: isLegalRouterId, expected: `an id of ${LEGAL_CHARACTERS}` };

/** A place in an object store if it begins like one, else a directory. */
export const PLACE_FORM: TextForm = {
  fits: (text) => !isObjectAddress(text) || parseObjectAddress(text) !== undefined,
  expected: 's3://bucket/prefix',
};

/** What `trestle hash-password` prints. */
export const PASSWORD_HASH_FORM: TextForm = {
  fits: (text) => parsePasswordHash(text) !== undefined,
  expected: 'a hash printed by "trestle hash-password"',
  isSecret: true,
};

/** The SHA-256 of a token. */
export const SHA256_FORM: TextForm = {
  fits: (text) => /^[0-9a-f]{64}$/i.test(text),
  expected: '64 hexadecimal digits',
  isSecret: true,
};

/** Where a proxy is. */
export const NETWORK_FORM: TextForm = {
  fits: (text) => parseNetwork(text) !== undefined,
  expected: 'an address or a network such as 10.0.0.0/8',
};

/** Where feeds may lead. A number, or some with dots between them, would be an address, not a name. */
export const HOST_FORM: TextForm = {
  fits: (text) => parseNetwork(text) !== undefined || (/^(\*\.)?[a-z0-9.-]+$/i.test(text) && !ipaddr.isValid(text)),
  expected: 'a host name, an address or a network such as 10.1.0.0/16',
};

/**
 * An origin as browsers send it; `*` for any. Apps that show pages of their files send `file://`, and those with a scheme
 * of their own an address that begins with it.
 */
export const ORIGIN_FORM: TextForm = {
  fits: (text) => ['*', 'null', 'file://'].includes(text) || isOrigin(text),
  expected: 'an origin as browsers send it, such as https://maps.example, or *',
};

/** In lower case, without a path, a user or the scheme's usual port, because origins are compared as texts. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, host, origin } = new URL(text);
  return text === (origin === 'null' ? `${protocol}//${host}` : origin) && host !== '';
}

/** Where Redis or Valkey is. */
export const REDIS_FORM: TextForm = {
  fits: (text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ''),
  expected: 'an address that begins with redis:// or rediss://',
  isSecret: true,
};

/** Where a server is that speaks HTTP. */
export const WEB_FORM: TextForm = {
  fits: (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
  expected: 'an address that begins with https:// or http://',
};

/** Where a file or a document of a feed is: a path unless it begins like an address. */
export const FEED_FORM: TextForm = {
  fits: (text) => !/^[a-z][a-z\d+.-]+:/i.test(text) || WEB_FORM.fits(text) || isFileAddress(text),
  expected: 'an address that begins with https:// or http://, or a file',
  isSecret: true,
};

function isFileAddress(text: string): boolean {
  return /^file:/i.test(text) && URL.canParse(text);
}

/** Where messages come from a WebSocket. */
export const SOCKET_FORM: TextForm = {
  fits: (text) => /^(wss?|https?):\/\//i.test(text) && URL.canParse(text),
  expected: 'an address that begins with wss:// or ws://',
  isSecret: true,
};

/** The address of a style for MapLibre; without a host it is one of this server. */
export const STYLE_FORM: TextForm = {
  fits: (text) => WEB_FORM.fits(text) || /^\.{0,2}\//.test(text),
  expected: `${WEB_FORM.expected}, or a path such as /local/style.json`,
};

/** What MapLibre puts in place of parts of the address of tiles. */
const TILE_PARTS = ['z', 'x', 'y', 'ratio', 'prefix', 'quadkey', 'bbox-epsg-3857'];

/** The address of raster tiles for MapLibre, which fetches them outside the page and knows no paths. */
export const TILES_FORM: TextForm = {
  fits: (text) => {
    const parts = Array.from(text.matchAll(/\{([^{}]*)\}/g), ([, part = '']) => part);
    const nameTile = [['z', 'x', 'y'], ['quadkey'], ['bbox-epsg-3857']];
    return (
      WEB_FORM.fits(text.replaceAll(/[{}]/g, '')) &&
      nameTile.some((needed) => needed.every((part) => parts.includes(part))) &&
      parts.every((part) => TILE_PARTS.includes(part))
    );
  },
  expected: 'an address of tiles such as https://tiles.example/{z}/{x}/{y}.png',
};

/** A host, as a page's policy names it. */
export const PAGE_HOST_FORM: TextForm = {
  fits: (text) => /^(\*\.)?[a-z\d][a-z\d.-]*(:\d+)?$/i.test(text),
  expected: 'a host name such as tiles.example or *.tiles.example',
};

/**
 * The first part of paths, as they are in requests: other characters are escaped there, or mean something in patterns of
 * paths.
 */
export const MOUNT_FORM: TextForm = {
  fits: (text) => /^(?:[\w.~/@,=&'-]|%(?!00|2f)[\da-f]{2})*$/i.test(text),
  expected: "a path of letters, digits, - . _ ~ @ , = & ' / and escapes such as %20",
};

export const HEADER_FORM: TextForm = {
  fits: (text) => /^[\t\x20-\x7e]*$/.test(text),
  expected: 'one line of ASCII characters',
};

/** The value of a header of requests to other servers. */
export const SENT_HEADER_FORM: TextForm = {
  fits: (text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
  expected: 'one line of Latin-1 characters',
};

/** Where a server listens. The empty text, which a variable without a value gives, is every address. */
export const LISTEN_FORM: TextForm = {
  fits: (text) => isAddress(text) || /^[\w.-]*$/.test(text),
  expected: 'an address or a name of this machine',
};
