/** Reference systems as the text of `.prj` files. */

/** WGS 84 in degrees. */
const WGS84 =
  'GEOGCS["WGS84(DD)", DATUM["WGS84", SPHEROID["WGS84", 6378137.0, 298.257223563]], PRIMEM["Greenwich", 0.0], ' +
  'UNIT["degree", 0.017453292519943295], AXIS["Geodetic longitude", EAST], AXIS["Geodetic latitude", NORTH]]';

const METRES = 'UNIT["m", 1.0], AXIS["Easting", EAST], AXIS["Northing", NORTH]';

const MERCATOR = 'EPSG:3857';

/** The text of web Mercator (`EPSG:3857`, `EPSG:900913`), of a UTM zone (`EPSG:326zz`, `EPSG:327zz`), or of degrees. */
export function projectionText(crs = 'EPSG:4326'): string {
  const zone = /^EPSG:32([67])(\d\d)$/.exec(crs);
  if (zone !== null) return utm(Number(zone[2]), zone[1] === '7', crs);
  switch (crs) {
    case 'EPSG:4326':
      return WGS84;
    case MERCATOR:
    case 'EPSG:900913':
      return projected('WGS 84 / Pseudo-Mercator', 'Mercator_1SP', [0, 0, 1, 0, 0], MERCATOR);
    default:
      // Degrees would put the coordinates of another system into the wrong place.
      throw new Error(`no text of ${crs}`);
  }
}

function utm(zone: number, south: boolean, crs: string): string {
  const name = `WGS 84 / UTM zone ${zone}${south ? 'S' : 'N'}`;
  return projected(name, 'Transverse_Mercator', [0, 6 * zone - 183, 0.9996, 500_000, south ? 10_000_000 : 0], crs);
}

const PARAMETERS = ['latitude_of_origin', 'central_meridian', 'scale_factor', 'false_easting', 'false_northing'];

function projected(name: string, projection: string, values: readonly number[], crs: string): string {
  const parameters = PARAMETERS.map((parameter, i) => `PARAMETER["${parameter}", ${values[i]}]`).join(', ');
  const authority = `AUTHORITY["EPSG", "${crs.slice('EPSG:'.length)}"]`;
  return `PROJCS["${name}", ${WGS84}, PROJECTION["${projection}"], ${parameters}, ${METRES}, ${authority}]`;
}
