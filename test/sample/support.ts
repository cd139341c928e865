import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { createOSMStream } from 'osm-pbf-parser-node';
import yauzl from 'yauzl';

/** A node from the independent reader. */
export interface ReadNode {
  lat: number;
  lon: number;
  tags: Record<string, string>;
}

/** A way from the independent reader. */
export interface ReadWay {
  refs: number[];
  tags: Record<string, string>;
}

/** A relation from the independent reader. */
export interface ReadRelation {
  members: { type: string; ref: number; role: string }[];
  tags: Record<string, string>;
}

/** A whole street map in memory. */
export interface StreetMap {
  bounds: { left: number; right: number; top: number; bottom: number };
  nodes: Map<number, ReadNode>;
  ways: Map<number, ReadWay>;
  relations: Map<number, ReadRelation>;
  /** Whether the elements were sorted by type and id. */
  sorted: boolean;
}

/** Reads a PBF file with an independent library. */
export async function readStreetMap(path: string): Promise<StreetMap> {
  const map: StreetMap = {
    bounds: { left: 0, right: 0, top: 0, bottom: 0 },
    nodes: new Map(),
    ways: new Map(),
    relations: new Map(),
    sorted: true,
  };
  const order = ['node', 'way', 'relation'];
  let last = { type: 0, id: 0 };
  // The library's element types have no discriminant.
  for await (const item of createOSMStream(path, { withTags: true, withInfo: false }) as AsyncIterable<any>) {
    if (item.bbox) map.bounds = item.bbox;
    if (!item.type) continue;
    const type = order.indexOf(item.type);
    if (type < last.type || (type === last.type && item.id <= last.id)) map.sorted = false;
    last = { type, id: item.id };
    const tags = item.tags ?? {};
    if (item.type === 'node') map.nodes.set(item.id, { lat: item.lat, lon: item.lon, tags });
    if (item.type === 'way') map.ways.set(item.id, { refs: item.refs, tags });
    if (item.type === 'relation') map.relations.set(item.id, { members: item.members, tags });
  }
  return map;
}

/** Rows of one table by column name. */
export type Rows = Record<string, string>[];

/** Reads all tables of a feed. */
export async function readFeed(path: string): Promise<Record<string, Rows>> {
  const open = promisify(yauzl.open) as unknown as (path: string, options: yauzl.Options) => Promise<yauzl.ZipFile>;
  const zip = await open(path, { lazyEntries: true });
  const tables: Record<string, Rows> = {};
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        text(stream).then((content) => {
          tables[entry.fileName.replace('.txt', '')] = parse(content, { columns: true }) as Rows;
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
  return tables;
}

/** Seconds of a GTFS time. */
export function seconds(time: string): number {
  const [hours, minutes, rest] = time.split(':').map(Number) as [number, number, number];
  return hours * 3600 + minutes * 60 + rest;
}
