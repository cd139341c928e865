/** Reference systems as the text of `.prj` files. */

type Spheroid = readonly [name: string, semiMajor: string, inverseFlattening: string];

const GRS80: Spheroid = ['GRS 1980', '6378137.0', '298.257222101'];

/** WGS 84 in degrees. */
const WGS84 = geographic('WGS84(DD)', 'WGS84', ['WGS84', '6378137.0', '298.257223563']);
/** ETRS89 in degrees. */
const ETRS89 = geographic('ETRS89', 'European_Terrestrial_Reference_System_1989', GRS80);
const DHDN = geographic('DHDN', 'Deutsches_Hauptdreiecksnetz', ['Bessel 1841', '6377397.155', '299.1528128']);

const METRES = 'UNIT["m", 1.0], AXIS["Easting", EAST], AXIS["Northing", NORTH]';

const MERCATOR = 'EPSG:3857';

type Grid = readonly [name: string, degrees: string, values: readonly number[]];

/** Grids of countries; the engine has the same, with the differences of their datums from WGS 84. */
const NATIONAL_GRIDS: Readonly<Record<string, Grid>> = {
  'EPSG:2157': [
    'IRENET95 / Irish Transverse Mercator',
    geographic('IRENET95', 'IRENET95', GRS80),
    [53.5, -8, 0.99982, 600_000, 750_000],
  ],
  'EPSG:2180': [
    'ETRF2000-PL / CS92',
    geographic('ETRF2000-PL', 'ETRF2000_Poland', GRS80),
    [0, 19, 0.9993, 500_000, -5_300_000],
  ],
  'EPSG:2193': [
    'NZGD2000 / New Zealand Transverse Mercator 2000',
    geographic('NZGD2000', 'New_Zealand_Geodetic_Datum_2000', GRS80),
    [0, 173, 0.9996, 1_600_000, 10_000_000],
  ],
  'EPSG:2326': [
    'Hong Kong 1980 Grid System',
    geographic('Hong Kong 1980', 'Hong_Kong_1980', ['International 1924', '6378388.0', '297.0']),
    [22.312133333333, 114.178555555556, 1, 836_694.05, 819_069.8],
  ],
  'EPSG:3006': ['SWEREF99 TM', geographic('SWEREF99', 'SWEREF99', GRS80), [0, 15, 0.9996, 500_000, 0]],
  'EPSG:3067': ['ETRS89 / TM35FIN(E,N)', ETRS89, [0, 27, 0.9996, 500_000, 0]],
  'EPSG:3763': ['ETRS89 / Portugal TM06', ETRS89, [39.668258333333, -8.133108333333, 1, 0, 0]],
  'EPSG:27700': [
    'OSGB36 / British National Grid',
    geographic('OSGB36', 'Ordnance_Survey_of_Great_Britain_1936', ['Airy 1830', '6377563.396', '299.3249646']),
    [49, -2, 0.9996012717, 400_000, -100_000],
  ],
  'EPSG:31466': gaussKruger(2),
  'EPSG:31467': gaussKruger(3),
  'EPSG:31468': gaussKruger(4),
  'EPSG:31469': gaussKruger(5),
};

/**
 * The text of web Mercator (`EPSG:3857`, `EPSG:900913`), of a UTM zone (`EPSG:326zz`, `EPSG:327zz`, in ETRS89
 * `EPSG:258zz`), of a grid of a country, or of degrees.
 */
export function projectionText(crs = 'EPSG:4326'): string {
  const zone = /^EPSG:(258|326|327)(\d\d)$/.exec(crs);
  if (zone !== null) return utm(Number(zone[2]), zone[1] ?? '', crs);
  const grid = NATIONAL_GRIDS[crs];
  if (grid !== undefined) return projected(grid[0], grid[1], 'Transverse_Mercator', grid[2], crs);
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

function gaussKruger(zone: number): Grid {
  const values = [0, 3 * zone, 1, zone * 1_000_000 + 500_000, 0];
  return [`DHDN / 3-degree Gauss-Kruger zone ${zone}`, DHDN, values];
}

function geographic(name: string, datum: string, [spheroid, semiMajor, flattening]: Spheroid): string {
  return (
    `GEOGCS["${name}", DATUM["${datum}", SPHEROID["${spheroid}", ${semiMajor}, ${flattening}]], ` +
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
