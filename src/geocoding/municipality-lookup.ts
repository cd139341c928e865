/** Names the municipality of a location: after a file of boundaries, or else after those that the graphs have. */

import type { MunicipalitiesConfig } from '../config/server-settings.js';
import type { Municipalities } from './municipalities.js';

/** `admin_level` of municipalities in most countries. */
const ADMIN_LEVEL = 8;

/** A map with administrative areas. */
export interface AreaNames {
  /** The area of a level around a location, or the nearest greater one; null where there is none. */
  administrativeAreaAt(lat: number, lon: number, adminLevel: number): string | null;
}

/** The boundaries that the server knows. */
export class MunicipalityLookup {
  #reading: Promise<Municipalities> | undefined;

  /** `graphs` are those that are served, the most important one first. */
  constructor(
    private readonly config: MunicipalitiesConfig,
    private readonly graphs: () => readonly AreaNames[],
  ) {}

  /** Undefined where no municipality is known. Rejects when the file cannot be read; the next call tries again. */
  async nameAt(lat: number, lon: number): Promise<string | undefined> {
    const { file, nameField, adminLevel = ADMIN_LEVEL } = this.config;
    if (file !== undefined) return (await this.#boundaries(file, nameField)).nameAt(lat, lon);
    for (const graph of this.graphs()) {
      const name = graph.administrativeAreaAt(lat, lon, adminLevel);
      if (name !== null) return name;
    }
    return undefined;
  }

  /** Read when they are first asked for. */
  #boundaries(file: string, nameField: string | undefined): Promise<Municipalities> {
    this.#reading ??= readBoundaries(file, nameField).catch((error) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }
}

async function readBoundaries(file: string, nameField: string | undefined): Promise<Municipalities> {
  const { Municipalities } = await import('./municipalities.js');
  return Municipalities.read(file, nameField);
}
