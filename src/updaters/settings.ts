/** The members of an updater's configuration, read by type. */

import type { UpdaterConfig } from '../config/router-config.js';

/** Delays and numbers of bikes older than this say little about the present. */
const STALE_AFTER_SEC = 1800;

/** Typed access. What a type of updaters cannot do without was checked when the configuration was read. */
export class UpdaterSettings {
  constructor(private readonly config: UpdaterConfig) {}

  text(name: string): string | undefined {
    const value = this.config[name];
    return value === undefined || value === null || value === '' ? undefined : String(value);
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new Error(`the configuration of an updater has no ${name}`);
    return value;
  }

  number(name: string, byDefault: number): number {
    const value = Number(this.config[name] ?? byDefault);
    return Number.isFinite(value) ? value : byDefault;
  }

  /** How long the last data is used while its source fails, seconds; 0: without limit. */
  staleAfterSec(): number {
    return Math.max(0, this.number('staleAfterSec', STALE_AFTER_SEC));
  }

  flag(name: string, byDefault: boolean): boolean {
    const value = this.config[name];
    return value === undefined ? byDefault : value === true || value === 'true';
  }

  /** Headers that are sent with every request; none by default. */
  headers(): Record<string, string> {
    const value = this.config.headers;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
  }
}
