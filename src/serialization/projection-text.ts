/** Reference systems as the text of `.prj` files. */

/** WGS 84 in degrees. */
const WGS84 = geographic('WGS84(DD)', 'WGS84', ['WGS84', '298.257223563']);
/** ETRS89 in degrees. */
const ETRS89 = geographic('ETRS89', 'European_Terrestrial_Reference_System_1989', ['GRS 1980', '298.257222101']);

const METRES = 'UNIT["m", 1.0], AXIS["Easting", EAST], AXIS["Northing", NORTH]';

const MERCATOR = 'EPSG:3857';

/**
 * The text of web Mercator (`EPSG:3857`, `EPSG:900913`), of a UTM zone (`EPSG:326zz`, `EPSG:327zz`, in ETRS89
 * `EPSG:258zz`), or of degrees.
 */
export function projectionText(crs = 'EPSG:4326'): string {
  const zone = /^EPSG:(258|326|327)(\d\d)$/.exec(crs);
  if (zone !== null) return utm(Number(zone[2]), zone[1] ?? '', crs);
  switch (crs) {
    case 'EPSG:4326':
      return WGS84;
    case MERCATOR:
    case 'EPSG:900913':
      return projected('WGS 84 / Pseudo-Mercator', WGS84, 'Mercator_1SP', [0, 0, 1, 0, 0], MERCATOR);
    default:
      // Degrees would put the coordinates of another system into the wrong place.
      throw new Error(`no text of ${crs}`);
  }
}

function utm(zone: number, series: string, crs: string): string {
  const south = series === '327';
  const [datum, degrees] = series === '258' ? ['ETRS89', ETRS89] : ['WGS 84', WGS84];
  const name = `${datum} / UTM zone ${zone}${south ? 'S' : 'N'}`;
  const values = [0, 6 * zone - 183, 0.9996, 500_000, south ? 10_000_000 : 0];
  return projected(name, degrees, 'Transverse_Mercator', values, crs);
}

function geographic(name: string, datum: string, [spheroid, flattening]: readonly [string, string]): string {
  return (
    `GEOGCS["${name}", DATUM["${datum}", SPHEROID["${spheroid}", 6378137.0, ${flattening}]], ` +
    'PRIMEM["Greenwich", 0.0], UNIT["degree", 0.017453292519943295], ' +
    'AXIS["Geodetic longitude", EAST], AXIS["Geodetic latitude", NORTH]]'
  );
}

const PARAMETERS = ['latitude_of_origin', 'central_meridian', 'scale_factor', 'false_easting', 'false_northing'];

function projected(name: string, degrees: string, projection: string, values: readonly number[], crs: string): string {
  const parameters = PARAMETERS.map((parameter, i) => `PARAMETER["${parameter}", ${values[i]}]`).join(', ');
  const authority = `AUTHORITY["EPSG", "${crs.slice('EPSG:'.length)}"]`;
  return `PROJCS["${name}", ${degrees}, PROJECTION["${projection}"], ${parameters}, ${METRES}, ${authority}]`;
}
