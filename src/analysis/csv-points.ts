/** Point sets from CSV files. */

import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { quoted } from '../quoted.js';
import {
  isAmount,
  notAnAmount,
  type PointSet,
  PointSetError,
  RowProblems,
  requireProperties,
  requireSize,
} from './point-set.js';
import { pointSetTexts } from './point-set-text.js';

const LATITUDE = new Set(['lat', 'latitude']);
const LONGITUDE = new Set(['lon', 'longitude', 'lng']);
/** Programs that hold a column as fractions write its whole numbers as 1e+05 (R) or 5.0 (pandas). */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Places of a CSV file with the ids of its `id` column; rows are numbered from 0 when there is none. */
export interface NamedPlaces {
  readonly ids: readonly string[];
  /** lat, lon, lat, lon, ... */
  readonly positions: Float64Array;
}

const isId = (name: string) => name.toLowerCase() === 'id';

/** A header row with columns for latitude and longitude and optionally `id`; every other column holds whole numbers. */
export async function readCsvPoints(input: Readable): Promise<PointSet> {
  const table = await readTable(input, (name, { lat, lon }) => name !== lat && name !== lon);
  const { positions, cells, problems } = table;
  const columns = [...cells];
  const [, ids] = columns.find(([name]) => isId(name)) ?? [];
  const properties = new Map(
    columns
      .filter(([name]) => !isId(name))
      .map(([name, texts]) => [name, { style: {}, amounts: readAmounts(name, texts, table) }]),
  );
  problems.throwIfAny();
  return {
    size: positions.length / 2,
    positions,
    properties,
    ...(ids === undefined ? {} : { ids: ids.map((id) => id || null) }),
  };
}

function readAmounts(name: string, texts: readonly string[], { lines, problems }: Table): Int32Array {
  const amounts = new Int32Array(texts.length);
  for (const [i, text] of texts.entries()) {
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (isAmount(value)) amounts[i] = value;
    else problems.add(`row ${lines[i]}, ${name}: ${notAnAmount(text, value)}`);
  }
  return amounts;
}

/** The places alone; other columns may hold anything. */
export async function readCsvPlaces(input: Readable): Promise<NamedPlaces> {
  const { positions, cells, problems } = await readTable(input, isId);
  problems.throwIfAny();
  const [ids] = cells.values();
  return { ids: ids ?? Array.from({ length: positions.length / 2 }, (_, i) => String(i)), positions };
}

interface Table {
  positions: Float64Array;
  /** Texts of the selected columns. */
  cells: Map<string, string[]>;
  /** Line of each row in the file, from 1. */
  lines: number[];
  problems: RowProblems;
}

type Wanted = (name: string, position: { lat: string; lon: string }) => boolean;

interface Columns {
  count: number;
  lat: number;
  lon: number;
  wanted: ReadonlyArray<readonly [column: number, texts: string[]]>;
  cells: Map<string, string[]>;
}

async function readTable(input: Readable, isWanted: Wanted): Promise<Table> {
  const problems = new RowProblems();
  const lines: number[] = [];
  const positions: number[] = [];
  let columns: Columns | undefined;
  for await (const { record, info } of records(input)) {
    if (columns === undefined) {
      columns = readHeader(record, isWanted);
      continue;
    }
    requireSize(lines.length + 1);
    lines.push(info.lines);
    const where = `row ${info.lines}`;
    if (record.length !== columns.count) problems.add(`${where}: ${record.length} fields, not ${columns.count}`);
    positions.push(
      coordinate(record[columns.lat], 90, `${where}, latitude`, problems),
      coordinate(record[columns.lon], 180, `${where}, longitude`, problems),
    );
    for (const [column, texts] of columns.wanted) texts.push(record[column] ?? '');
  }
  if (columns === undefined) throw new PointSetError('the file is empty');
  return { positions: Float64Array.from(positions), cells: columns.cells, lines, problems };
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

/** Longest part of the parser's message that is kept, in characters; it may quote a whole field. */
const MAX_REASON = 200;

async function* records(input: Readable): AsyncGenerator<CsvRecord> {
  const parser = parse({ bom: true, skip_empty_lines: true, trim: true, relax_column_count: true, info: true });
  const texts = Readable.from(pointSetTexts(input));
  texts.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of texts.pipe(parser)) yield row as CsvRecord;
  } catch (error) {
    throw error instanceof CsvError ? new PointSetError(error.message.slice(0, MAX_REASON)) : error;
  } finally {
    // Closes the file, even when the rest of it is not read.
    texts.destroy();
  }
}

function readHeader(names: readonly string[], isWanted: Wanted): Columns {
  const find = (known: ReadonlySet<string>) => names.findIndex((name) => known.has(name.toLowerCase()));
  const [lat, lon] = [find(LATITUDE), find(LONGITUDE)];
  if (lat < 0 || lon < 0) throw new PointSetError(`row 1: columns lat and lon are required; ${whatIsThere(names)}`);
  const position = { lat: names[lat] ?? '', lon: names[lon] ?? '' };
  const cells = new Map<string, string[]>();
  const wanted = names.flatMap((name, column) => {
    if (!isWanted(name, position)) return [];
    const texts: string[] = [];
    cells.set(name, texts);
    return [[column, texts] as const];
  });
  requireProperties(wanted.length);
  const used = new Set([...cells.keys(), position.lat, position.lon]);
  const meaning = (name: string) => (isId(name) ? 'id' : name);
  const repeated = names.find(
    (name, column) => used.has(name) && names.findIndex((other) => meaning(other) === meaning(name)) < column,
  );
  if (repeated !== undefined) throw new PointSetError(`row 1: two columns have the name ${quoted(repeated)}`);
  return { count: names.length, lat, lon, wanted, cells };
}

/** Programs for tables often write semicolons between columns where decimals have a comma. */
function whatIsThere(names: readonly string[]): string {
  const [name = ''] = names;
  if (names.length === 1 && /[;\t]/.test(name))
    return `there is only ${quoted(name)}: columns need commas between them`;
  return `there are ${quoted(names)}`;
}

function coordinate(text: string | undefined, limit: number, where: string, problems: RowProblems): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (!(Math.abs(value) <= limit)) problems.add(`${where}: ${quoted(text ?? '')} is not a coordinate`);
  return value;
}
