import { Gauge, type Registry } from 'prom-client';

/** A number to publish, and how the values of several serving processes become one (their sum by default). */
interface Published {
  readonly name: string;
  readonly help: string;
  readonly aggregator?: 'max' | 'min' | 'sum';
}

/** Publishes a number that is read when the metrics are. */
export function publish(registry: Registry, published: Published, read: () => number | Promise<number>): void {
  new Gauge({
    ...published,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}
