import { closeSync, openSync, writeSync } from 'node:fs';
import type { Box, Member, OsmSink, Tags } from './sink.js';

const CHUNK = 1 << 18;

/** Writes OSM XML 0.6. */
export class XmlWriter implements OsmSink {
  readonly #file: number;
  readonly #nodes = new TextChunks();
  readonly #ways = new TextChunks();
  readonly #relations = new TextChunks();

  constructor(path: string, bounds: Box) {
    this.#file = openSync(path, 'w');
    const box = `minlat="${bounds.south.toFixed(7)}" minlon="${bounds.west.toFixed(7)}" maxlat="${bounds.north.toFixed(7)}" maxlon="${bounds.east.toFixed(7)}"`;
    this.#nodes.add(
      `<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="trestle">\n <bounds ${box}/>\n`,
    );
  }

  node(id: number, lat: number, lon: number, tags?: Tags): void {
    const head = ` <node id="${id}" version="1" lat="${lat.toFixed(7)}" lon="${lon.toFixed(7)}"`;
    this.#nodes.add(tags ? `${head}>\n${tagLines(tags)} </node>\n` : `${head}/>\n`);
    this.#write(this.#nodes.take());
  }

  way(id: number, refs: readonly number[], tags: Tags): void {
    const nodes = refs.map((ref) => `  <nd ref="${ref}"/>\n`).join('');
    this.#ways.add(` <way id="${id}" version="1">\n${nodes}${tagLines(tags)} </way>\n`);
  }

  relation(id: number, members: readonly Member[], tags: Tags): void {
    const lines = members.map((m) => `  <member type="${m.type}" ref="${m.ref}" role="${m.role}"/>\n`).join('');
    this.#relations.add(` <relation id="${id}" version="1">\n${lines}${tagLines(tags)} </relation>\n`);
  }

  finish(): void {
    for (const part of [this.#nodes, this.#ways, this.#relations]) this.#write(part.end());
    writeSync(this.#file, '</osm>\n');
    closeSync(this.#file);
  }

  #write(chunks: Buffer[]): void {
    for (const chunk of chunks) writeSync(this.#file, chunk);
  }
}

/** Text kept as encoded chunks. */
class TextChunks {
  #text = '';
  #full: Buffer[] = [];

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < CHUNK) return;
    this.#full.push(Buffer.from(this.#text));
    this.#text = '';
  }

  /** The complete chunks so far; they are given once. */
  take(): Buffer[] {
    return this.#full.splice(0);
  }

  /** Everything left. */
  end(): Buffer[] {
    const rest = this.#text;
    this.#text = '';
    return [...this.take(), Buffer.from(rest)];
  }
}

function tagLines(tags: Tags): string {
  return Object.entries(tags)
    .map(([key, value]) => `  <tag k="${escapeText(key)}" v="${escapeText(value)}"/>\n`)
    .join('');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
