/**
 * The parts of a result as Parquet files, which pandas, R and DuckDB read as they are. Equal values give equal bytes.
 */

import type { ColumnSource } from 'hyparquet-writer';
import type { Contour } from '../native/types.js';

/** Times of a part of a matrix, row by row. */
interface MatrixRows {
  readonly kind: 'matrix';
  readonly firstOrigin: number;
  readonly destinations: number;
  /** One block of times for each scenario. */
  readonly blocks: ReadonlyArray<{ readonly scenario: string; readonly seconds: Int32Array }>;
}

/** Contours of a part: for each origin and scenario, in the order of the cutoffs. */
export interface ContourRows {
  readonly kind: 'isochrones';
  readonly rows: ReadonlyArray<{
    readonly origin: number;
    readonly scenario: string;
    readonly cutoff: number;
    /** Undefined when the origin is off the map. */
    readonly contour: ContourShape | undefined;
  }>;
}

/** The parts of a geometry. */
type ContourShape = Pick<Contour, 'polygons' | 'rings' | 'coordinates'>;

/** Sums of a part. */
interface AccessRows {
  readonly kind: 'accessibility';
  readonly rows: readonly AccessRow[];
}

/** One sum. */
export interface AccessRow {
  readonly origin: number;
  readonly scenario: string;
  /** Undefined for a single departure. */
  readonly percentile: string | undefined;
  /** Minutes. */
  readonly cutoff: number;
  readonly opportunity: string;
  /** Undefined when the origin is off the map. */
  readonly amount: number | undefined;
}

export type PartRows = MatrixRows | ContourRows | AccessRows;

/** The bytes of a part. `unreached` is the time that stands for a place that is not reached. */
export async function encodePart(rows: PartRows, unreached: number): Promise<Uint8Array> {
  const { ByteWriter, parquetWrite } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  parquetWrite({
    writer,
    columnData: columnsOf(rows, unreached),
    rowGroupSize: ROW_GROUP,
    createdBy: 'Trestle',
    ...(rows.kind === 'isochrones' ? { kvMetadata: [{ key: 'geo', value: GEO }] } : {}),
  });
  return writer.getBytes();
}

const ROW_GROUP = 1_000_000;

/** The metadata that makes a Parquet file a GeoParquet file. */
const GEO = JSON.stringify({
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: ['MultiPolygon'] } },
});

function columnsOf(rows: PartRows, unreached: number): ColumnSource[] {
  if (rows.kind === 'matrix') return matrixColumns(rows, unreached);
  if (rows.kind === 'isochrones') {
    const shapes = rows.rows.map(({ contour }) => (contour ? multiPolygon(contour) : null));
    const { origin, scenario, cutoff } = commonColumns(rows.rows);
    return [origin, scenario, cutoff, { name: 'geometry', type: 'BYTE_ARRAY', data: shapes }];
  }
  const { rows: list } = rows;
  const { origin, scenario, cutoff } = commonColumns(list);
  const amounts = list.map(({ amount }) => (amount === undefined ? null : BigInt(amount)));
  return [
    origin,
    scenario,
    { name: 'percentile', type: 'STRING', data: list.map(({ percentile }) => percentile ?? null) },
    cutoff,
    text(
      'opportunity',
      list.map(({ opportunity }) => opportunity),
    ),
    { name: 'amount', type: 'INT64', data: amounts },
  ];
}

/** The columns that contours and sums have in common. */
function commonColumns(rows: ReadonlyArray<Pick<AccessRow, 'origin' | 'scenario' | 'cutoff'>>) {
  const numbers = (name: 'origin' | 'cutoff') =>
    whole(
      name,
      Int32Array.from(rows, (row) => row[name]),
    );
  const scenarios = rows.map(({ scenario }) => scenario);
  return { origin: numbers('origin'), scenario: text('scenario', scenarios), cutoff: numbers('cutoff') };
}

function matrixColumns({ firstOrigin, destinations, blocks }: MatrixRows, unreached: number): ColumnSource[] {
  const rows = blocks.reduce((sum, { seconds }) => sum + seconds.length, 0);
  const [origins, numbers] = [new Int32Array(rows), new Int32Array(rows)];
  const times: Array<number | null> = new Array(rows);
  const scenarios: string[] = new Array(rows);
  let at = 0;
  for (const { scenario, seconds } of blocks) {
    for (let i = 0; i < seconds.length; i += 1, at += 1) {
      const time = seconds[i];
      origins[at] = firstOrigin + Math.floor(i / destinations);
      numbers[at] = i % destinations;
      scenarios[at] = scenario;
      times[at] = time === undefined || time === unreached ? null : time;
    }
  }
  const seconds: ColumnSource = { name: 'seconds', type: 'INT32', data: times };
  return [whole('origin', origins), text('scenario', scenarios), whole('destination', numbers), seconds];
}

function whole(name: string, data: Int32Array): ColumnSource {
  return { name, type: 'INT32', data, nullable: false, encoding: 'DELTA_BINARY_PACKED' };
}

function text(name: string, data: string[]): ColumnSource {
  return { name, type: 'STRING', data, nullable: false };
}

const MULTI_POLYGON = 6;
const POLYGON = 3;

/** Well-known binary: a byte for the order, the type and the number of parts of each level, then its coordinates. */
function multiPolygon({ polygons, rings, coordinates }: ContourShape): Uint8Array {
  const bytes = new Uint8Array(9 + polygons.length * 9 + rings.length * 4 + coordinates.length * 8);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const count = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const begin = (type: number, parts: number) => {
    view.setUint8(at, 1);
    at += 1;
    count(type);
    count(parts);
  };
  begin(MULTI_POLYGON, polygons.length);
  let [ring, coordinate] = [0, 0];
  for (const ringCount of polygons) {
    begin(POLYGON, ringCount);
    for (const end = ring + ringCount; ring < end; ring += 1) {
      const positions = rings[ring] ?? 0;
      count(positions);
      for (const last = coordinate + 2 * positions; coordinate < last; coordinate += 1) {
        view.setFloat64(at, coordinates[coordinate] ?? 0, true);
        at += 8;
      }
    }
  }
  return bytes;
}
