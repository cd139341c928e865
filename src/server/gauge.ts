import { Gauge, type Registry } from 'prom-client';

/** A number that metrics show, and how the values of several serving processes become one (their sum by default). */
interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly aggregator?: 'max' | 'min' | 'sum';
}

/** Adds a gauge whose number is read when the metrics are. */
export function addGauge(registry: Registry, options: GaugeOptions, read: () => number | Promise<number>): void {
  new Gauge({
    ...options,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}
