/** The text of documents from outside. */

import { TextDecoder } from 'node:util';

/** The charset that the byte order mark of a document tells; undefined without a mark. */
export function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** The charset of a document: by its byte order mark, else as `named` beside it, else as XML declares it, else UTF-8. */
export function charsetOf(bytes: Uint8Array, named = ''): string {
  return markedCharset(bytes) ?? (named || declaredCharset(bytes) || 'utf-8');
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1];
  // A declaration that can be read as ASCII is not in UTF-16, whatever it says.
  return declared !== undefined && /^(?:utf-?16|.*ucs-?2|unicode)/i.test(declared) ? 'utf-8' : declared;
}

/** A decoder that throws at bytes that are not in the charset. Throws a RangeError for a charset that is not known. */
export function strictDecoder(charset: string): TextDecoder {
  return new TextDecoder(charset, { fatal: true });
}

/** The text of a document; bytes that have no meaning in its charset become `U+FFFD`. */
export function documentText(bytes: Uint8Array): string {
  return lenientDecoder(charsetOf(bytes)).decode(bytes);
}

/** An unknown charset counts as UTF-8, because most documents that name a wrong one are in UTF-8. */
function lenientDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
