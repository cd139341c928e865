/** Chooses the media type of an answer by the client's quality values, and among equals by the order of the offers. */

/** Media types of resources without another form. */
export const JSON_ONLY = ['application/json'] as const;
export const TEXT_ONLY = ['text/plain'] as const;

/** Media types of resources that have an XML form; JSON is the default. */
export const JSON_OR_XML = ['application/json', 'application/xml', 'text/xml'] as const;

interface AcceptRange {
  type: string;
  subtype: string;
  quality: number;
}

/**
 * The offer that the `Accept` header prefers; undefined when it accepts none.
 *
 * @param offers in the server's order of preference; without a header the first is taken.
 */
export function chooseMediaType(accept: string | undefined, offers: readonly string[]): string | undefined {
  const ranges = (accept ?? '')
    .split(',')
    .map(parseRange)
    .filter((range) => range !== undefined);
  if (ranges.length === 0) return offers[0];
  let best: string | undefined;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) {
      best = offer;
      bestQuality = quality;
    }
  }
  return best;
}

/** Quality of the most specific range that covers the offer, 0 when none does. */
function qualityOf(offer: string, ranges: readonly AcceptRange[]): number {
  const [type, subtype] = offer.split('/');
  let quality = 0;
  let bestSpecificity = -1;
  for (const range of ranges) {
    if (range.type !== '*' && range.type !== type) continue;
    if (range.subtype !== '*' && range.subtype !== subtype) continue;
    const specificity = range.subtype !== '*' ? 2 : range.type !== '*' ? 1 : 0;
    if (specificity > bestSpecificity || (specificity === bestSpecificity && range.quality > quality)) {
      quality = range.quality;
      bestSpecificity = specificity;
    }
  }
  return quality;
}

function parseRange(text: string): AcceptRange | undefined {
  const [media = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [type, subtype] = media === '*' ? ['*', '*'] : media.split('/');
  if (!type || !subtype) return undefined;
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return { type, subtype, quality: Number.isNaN(quality) ? 1 : quality };
}
