/** Writes shapefiles of points, for tests that read them. */

/** A point in the reference system of the `.prj`, with its attributes. */
export interface ShapefilePoint {
  readonly x: number;
  readonly y: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

const POINT = 1;
const COLUMN_WIDTH = 11;

/** WGS 84 in degrees. */
export const GEOGRAPHIC =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],' +
  'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** UTM zone 29 north. */
export const UTM_29_NORTH =
  `PROJCS["WGS_1984_UTM_Zone_29N",${GEOGRAPHIC},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],` +
  'PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-9.0],PARAMETER["Scale_Factor",0.9996],' +
  'PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

/** The files by extension. Texts become character columns, numbers numeric ones. */
export function pointShapefile(points: readonly ShapefilePoint[], prj: string): Record<'shp' | 'dbf' | 'prj', Buffer> {
  return { shp: shapes(points), dbf: table(points), prj: Buffer.from(prj) };
}

function shapes(points: readonly ShapefilePoint[]): Buffer {
  const bytes = Buffer.alloc(100 + 28 * points.length);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.length / 2, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(POINT, 32);
  for (const [i, { x, y }] of points.entries()) {
    const at = 100 + 28 * i;
    bytes.writeInt32BE(i + 1, at);
    bytes.writeInt32BE(10, at + 4);
    bytes.writeInt32LE(POINT, at + 8);
    bytes.writeDoubleLE(x, at + 12);
    bytes.writeDoubleLE(y, at + 20);
  }
  return bytes;
}

function table(points: readonly ShapefilePoint[]): Buffer {
  const columns = Object.entries(points[0]?.attributes ?? {});
  const header = Buffer.alloc(32 + 32 * columns.length + 1);
  header.writeUInt8(3, 0);
  header.writeUInt32LE(points.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(1 + COLUMN_WIDTH * columns.length, 10);
  for (const [i, [name, value]] of columns.entries()) {
    header.write(name, 32 + 32 * i, 10, 'latin1');
    header.write(typeof value === 'number' ? 'N' : 'C', 32 + 32 * i + 11, 'latin1');
    header.writeUInt8(COLUMN_WIDTH, 32 + 32 * i + 16);
  }
  header.writeUInt8(0x0d, header.length - 1);
  const cell = (value: string | number) =>
    typeof value === 'number' ? String(value).padStart(COLUMN_WIDTH) : value.padEnd(COLUMN_WIDTH);
  const rows = points.map(({ attributes }) => ` ${Object.values(attributes).map(cell).join('')}`);
  return Buffer.concat([header, Buffer.from(`${rows.join('')}\x1a`, 'latin1')]);
}
