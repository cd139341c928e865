/** Encoded polylines of precision 1e5, latitude first. */

/** The points of an encoded line as latitude and longitude in degrees; text that is cut off ends the line early. */
export function decodePolyline(encoded: string): Array<[lat: number, lon: number]> {
  const points: Array<[number, number]> = [];
  const deltas = decodeNumbers(encoded);
  let lat = 0;
  let lon = 0;
  for (let i = 0; i + 1 < deltas.length; i += 2) {
    lat += deltas[i] ?? 0;
    lon += deltas[i + 1] ?? 0;
    points.push([lat / 1e5, lon / 1e5]);
  }
  return points;
}

/** Signed numbers in groups of five bits, least significant first. */
function decodeNumbers(encoded: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (let i = 0; i < encoded.length; i++) {
    const chunk = encoded.charCodeAt(i) - 63;
    value |= (chunk & 0x1f) << shift;
    shift += 5;
    if (chunk >= 0x20) continue;
    numbers.push(value & 1 ? ~(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
