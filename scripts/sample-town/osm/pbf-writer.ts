import { closeSync, openSync, writeSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { PbfWriter as Protobuf } from 'pbf';
import type { Box, Member, Tags } from './elements.js';

/** Elements per block, the customary number. */
const BLOCK = 8000;
/** Degrees are stored in units of 1e-7 (granularity 100 nanodegrees, the format's default). */
const UNITS = 1e7;

/**
 * Writes OSM PBF: zlib blobs, dense nodes, sorted, with the bounding box in the header. The elements of each kind must
 * be given in the order of their ids. Ways and relations may be given between nodes: they are encoded at once and kept
 * until all nodes are written.
 */
export class PbfWriter {
  readonly #file: number;
  readonly #level: number;
  #nodeBlock = new DenseNodeBlock();
  readonly #ways = new ElementBlocks(3, (content) => this.#blob('OSMData', content));
  readonly #relations = new ElementBlocks(4, (content) => this.#blob('OSMData', content));

  /** `level` is zlib's level of compression; 0 for none. */
  constructor(path: string, bounds: Box, level = 6) {
    this.#file = openSync(path, 'w');
    this.#level = level;
    this.#write(this.#blob('OSMHeader', headerBlock(bounds)));
  }

  node(id: number, lat: number, lon: number, tags?: Tags): void {
    this.#nodeBlock.add(id, Math.round(lat * UNITS), Math.round(lon * UNITS), tags);
    if (this.#nodeBlock.length >= BLOCK) this.#endNodes();
  }

  way(id: number, refs: readonly number[], tags: Tags): void {
    this.#ways.add((texts, out) => writeWay(out, texts, id, refs, tags));
  }

  relation(id: number, members: readonly Member[], tags: Tags): void {
    this.#relations.add((texts, out) => writeRelation(out, texts, id, members, tags));
  }

  /** Writes what is kept and closes the file. */
  finish(): void {
    this.#endNodes();
    for (const blob of [...this.#ways.finish(), ...this.#relations.finish()]) this.#write(blob);
    closeSync(this.#file);
  }

  /** A file block: length of the blob header, blob header, blob. */
  #blob(type: string, content: Uint8Array): Buffer {
    const body = new Protobuf();
    body.writeVarintField(2, content.length);
    body.writeBytesField(3, deflateSync(content, { level: this.#level }));
    const bytes = body.finish();
    const head = new Protobuf();
    head.writeStringField(1, type);
    head.writeVarintField(3, bytes.length);
    const header = head.finish();
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    return Buffer.concat([length, header, bytes]);
  }

  #endNodes(): void {
    if (this.#nodeBlock.length > 0) this.#write(this.#blob('OSMData', this.#nodeBlock.encode()));
    this.#nodeBlock = new DenseNodeBlock();
  }

  #write(bytes: Uint8Array): void {
    writeSync(this.#file, bytes);
  }
}

/** The string table of a block; index 0 is the delimiter of dense tags. */
class Texts {
  readonly #index = new Map<string, number>([['', 0]]);

  of(text: string): number {
    const known = this.#index.get(text);
    if (known !== undefined) return known;
    const index = this.#index.size;
    this.#index.set(text, index);
    return index;
  }

  write(out: Protobuf): void {
    for (const text of this.#index.keys()) out.writeStringField(1, text);
  }
}

class DenseNodeBlock {
  readonly #texts = new Texts();
  readonly #ids: number[] = [];
  readonly #lats: number[] = [];
  readonly #lons: number[] = [];
  readonly #tags: number[] = [];
  #last = { id: 0, lat: 0, lon: 0 };

  get length(): number {
    return this.#ids.length;
  }

  add(id: number, lat: number, lon: number, tags?: Tags): void {
    this.#ids.push(id - this.#last.id);
    this.#lats.push(lat - this.#last.lat);
    this.#lons.push(lon - this.#last.lon);
    this.#last = { id, lat, lon };
    for (const [key, value] of Object.entries(tags ?? {})) this.#tags.push(this.#texts.of(key), this.#texts.of(value));
    this.#tags.push(0);
  }

  encode(): Uint8Array {
    const out = new Protobuf();
    out.writeMessage(1, (texts: Texts, o) => texts.write(o), this.#texts);
    out.writeMessage(2, (block: DenseNodeBlock, group) => group.writeMessage(2, writeDense, block), this);
    return out.finish();

    function writeDense(block: DenseNodeBlock, dense: Protobuf): void {
      dense.writePackedSVarint(1, block.#ids);
      dense.writePackedSVarint(8, block.#lats);
      dense.writePackedSVarint(9, block.#lons);
      dense.writePackedVarint(10, block.#tags);
    }
  }
}

/** All ways (group field 3) or relations (4) in blocks; elements are encoded as they come. */
class ElementBlocks {
  readonly #blobs: Buffer[] = [];
  #texts = new Texts();
  #group = new Protobuf();
  #length = 0;

  constructor(
    readonly field: number,
    readonly blob: (content: Uint8Array) => Buffer,
  ) {}

  add(write: (texts: Texts, out: Protobuf) => void): void {
    this.#group.writeMessage(this.field, (texts: Texts, out) => write(texts, out), this.#texts);
    this.#length++;
    if (this.#length >= BLOCK) this.#endBlock();
  }

  finish(): Buffer[] {
    this.#endBlock();
    return this.#blobs;
  }

  #endBlock(): void {
    if (this.#length === 0) return;
    const out = new Protobuf();
    out.writeMessage(1, (texts: Texts, o) => texts.write(o), this.#texts);
    out.writeBytesField(2, this.#group.finish());
    this.#blobs.push(this.blob(out.finish()));
    [this.#texts, this.#group, this.#length] = [new Texts(), new Protobuf(), 0];
  }
}

function writeWay(out: Protobuf, texts: Texts, id: number, refs: readonly number[], tags: Tags): void {
  out.writeVarintField(1, id);
  writeTags(out, texts, tags);
  out.writePackedSVarint(8, deltas(refs));
}

function writeRelation(out: Protobuf, texts: Texts, id: number, members: readonly Member[], tags: Tags): void {
  out.writeVarintField(1, id);
  writeTags(out, texts, tags);
  out.writePackedVarint(
    8,
    members.map((member) => texts.of(member.role)),
  );
  out.writePackedSVarint(9, deltas(members.map((member) => member.ref)));
  out.writePackedVarint(
    10,
    members.map((member) => (member.type === 'node' ? 0 : 1)),
  );
}

function writeTags(out: Protobuf, texts: Texts, tags: Tags): void {
  out.writePackedVarint(
    2,
    Object.keys(tags).map((key) => texts.of(key)),
  );
  out.writePackedVarint(
    3,
    Object.values(tags).map((value) => texts.of(value)),
  );
}

function deltas(values: readonly number[]): number[] {
  return values.map((value, i) => value - (i === 0 ? 0 : (values[i - 1] as number)));
}

function headerBlock(bounds: Box): Uint8Array {
  const out = new Protobuf();
  out.writeMessage(
    1,
    (box: Box, o) => {
      o.writeSVarintField(1, Math.round(box.west * 1e9));
      o.writeSVarintField(2, Math.round(box.east * 1e9));
      o.writeSVarintField(3, Math.round(box.north * 1e9));
      o.writeSVarintField(4, Math.round(box.south * 1e9));
    },
    bounds,
  );
  out.writeStringField(4, 'OsmSchema-V0.6');
  out.writeStringField(4, 'DenseNodes');
  out.writeStringField(5, 'Sort.Type_then_ID');
  out.writeStringField(16, 'trestle');
  return out.finish();
}
