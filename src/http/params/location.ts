import { quoted } from '../../quoted.js';
import { BadParameter } from './bad-parameter.js';

/** Reads `lat,lon`, which is stricter than the places of routing parameters. */
export function parseLocation(text: string, parameter: string): [lat: number, lon: number] {
  const [lat, lon, ...rest] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (lat === undefined || lon === undefined || rest.length > 0 || !Number.isFinite(lat) || !Number.isFinite(lon)) {
    throw new BadParameter(parameter, `${quoted(text)} is not lat,lon`);
  }
  return [lat, lon];
}
