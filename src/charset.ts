/** The text of documents from outside. */

/** The charset that an XML document declares; UTF-8 for any other document. */
export function declaredCharset(bytes: Uint8Array): string {
  // A declaration is in ASCII, whatever the charset, except in UTF-16, which begins with a byte order mark.
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  if (start.startsWith('\xff\xfe')) return 'utf-16le';
  if (start.startsWith('\xfe\xff')) return 'utf-16be';
  return /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
}

/** The text of a document; bytes that have no meaning in its charset become `U+FFFD`. */
export function documentText(bytes: Uint8Array): string {
  return decoder(declaredCharset(bytes)).decode(bytes);
}

/** A charset that is not known is taken for UTF-8, as most documents that name a wrong one are. */
function decoder(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
