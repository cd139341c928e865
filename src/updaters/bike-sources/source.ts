/** The facts that are needed, besides the document, to read a rental system's document. */

import type { RentalStation } from '../rental-station.js';

export interface SourceFacts {
  readonly network?: string;
  /** Whether cars are rented instead of bikes. */
  readonly asCars?: boolean;
  /** Prefix for the names of placemarks. */
  readonly namePrefix?: string;
  /** Network of systems that differ only by their URL. */
  readonly systemId: string;
}

/** Reads a whole document; throws when it does not have the form of the source. */
export type StationReader = (content: string, facts: SourceFacts) => RentalStation[];
