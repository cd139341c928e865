// Measures the costs for the capacity model of docs/deploy/capacity.md, in about seven minutes:
//   npm run build:ts && node scripts/measure-capacity.mjs --graphs DIR --router ID [--date 2026-11-23] [--seconds 7]
// It writes docs/deploy/capacity.json and the tables and figures of the page. It needs a machine that does nothing else.
// `--page` only writes the page, from the file.
import { stat, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureMatrices } from './capacity/matrices.mjs';
import { DATA, writePage } from './capacity/page.mjs';
import { measurePlans, measureSwap } from './capacity/plans.mjs';

const { values } = parseArgs({
  options: {
    graphs: { type: 'string', default: 'graphs' },
    router: { type: 'string', default: 'default' },
    date: { type: 'string', default: '2026-11-23' },
    seconds: { type: 'string', default: '7' },
    page: { type: 'boolean', default: false },
  },
});

async function measure() {
  const { date } = values;
  const graph = path.resolve(values.graphs, values.router);
  const { all, paths, ...measured } = await measurePlans({ graph, date, seconds: Number(values.seconds) });
  const swap = await measureSwap({ graph, paths, plan: measured.plan });
  const jobs = await measureMatrices({ graph, date, paths: all });
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: { processors: availableParallelism(), model: cpus()[0].model, memory: totalmem() },
    graph: { bytes: (await stat(path.join(graph, 'Graph.obj'))).size },
    ...measured,
    swap,
    jobs,
  };
}

if (!values.page) await writeFile(DATA, `${JSON.stringify(await measure(), null, 1)}\n`);
await writePage();
