/** Reads the boundaries of municipalities when they are first asked for. */

import type { MunicipalitiesConfig } from '../config/server-config.js';
import { Municipalities } from './municipalities.js';

/** The boundaries that the server knows. */
export class MunicipalityLookup {
  #reading: Promise<Municipalities> | undefined;

  constructor(private readonly config: MunicipalitiesConfig | undefined) {}

  /** Undefined when none are configured. Rejects when the file cannot be read; the next call tries again. */
  get(): Promise<Municipalities | undefined> {
    const { config } = this;
    if (config === undefined) return Promise.resolve(undefined);
    this.#reading ??= Municipalities.read(config).catch((error) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }
}
