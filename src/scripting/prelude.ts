/**
 * The `otp` object of scripts: JavaScript that runs in the interpreter before the script. Its only connection to the
 * server is one function that takes the name of an operation and its arguments as JSON.
 */

/** Evaluates to a function that turns the script's value into the text of the answer. */
export const PRELUDE = `
(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const host = globalThis.__host;
  delete globalThis.__host;
  const ask = (operation, ...args) => parse(host(operation, stringify(args)));

  class PointSet {
    constructor(description) { Object.assign(this, description); Object.freeze(this); }
  }

  class Surface {
    constructor(id) { this.id = id; Object.freeze(this); }
    /** Seconds to each feature, null where it is not reached. */
    times(pointSet) { return ask('times', this.id, pointSet.handle); }
    /** How much of each property is newly reached in each minute. */
    indicator(pointSet) { return ask('indicator', this.id, pointSet.handle); }
    /** Contours at intervals of some minutes, as GeoJSON. */
    contours(spacingMinutes = 30, count = 4) { return ask('contours', this.id, spacingMinutes, count); }
  }

  class Router {
    constructor(id) { this.id = id; Object.freeze(this); }
    info() { return ask('router', this.id); }
    plan(parameters) { return ask('plan', this.id, parameters); }
    surface(parameters) { return new Surface(ask('surface', this.id, parameters)); }
    matrix(origins, destinations, parameters = {}) {
      return ask('matrix', this.id, origins, destinations, parameters);
    }
  }

  const cell = (value) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\\n\\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };

  class Csv {
    #lines;
    constructor(header) { this.#lines = header === undefined ? [] : [header.map(cell).join(',')]; }
    add(...values) { this.#lines.push(values.map(cell).join(',')); return this; }
    toString() { return this.#lines.join('\\n') + '\\n'; }
  }

  globalThis.otp = Object.freeze({
    version: ask('version'),
    routers: () => ask('routers').map((id) => new Router(id)),
    router: (id = 'default') => new Router(ask('router', id).routerId),
    pointSets: () => ask('pointSets'),
    pointSet: (id) => new PointSet(ask('pointSet', id)),
    points: (features) => new PointSet(ask('points', features)),
    csv: (header) => new Csv(header),
    log: (...values) => { ask('log', values.map(String).join(' ')); },
  });

  return (value) => {
    if (value === null || value === undefined) return '';
    if (typeof value !== 'object' || value instanceof Csv) return String(value);
    return stringify(value) ?? '';
  };
})()
`;
