/** Finds the municipality at a location, from a file of boundaries or from those in the graphs. */

import type { MunicipalitiesConfig } from '../config/server-settings.js';
import type { Municipalities } from './municipalities.js';

/** `admin_level` of municipalities in most countries. */
const ADMIN_LEVEL = 8;

/** A map with administrative areas. */
interface AreaNames {
  /** The area of a level around a location, or if there is none, of the next larger one; null without any. */
  administrativeAreaAt(lat: number, lon: number, adminLevel: number): string | null;
}

/** The boundaries that the server knows. */
export class MunicipalityLookup {
  #reading: Promise<Municipalities> | undefined;

  /** `graphs` are the served graphs, the most important one first. */
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

  /** Read when it is first used. */
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
