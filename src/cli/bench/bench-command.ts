/** `trestle bench`: times requests in process and over HTTP, and checks the answers in the same run. */

import { Command, InvalidArgumentError, Option } from 'commander';
import { REQUEST_KINDS } from '../../bench/request-kinds.js';
import { DEFAULT_SIZES, parseSizes } from '../../bench/scale/sizes.js';
import { elementsOf } from '../../comma-list.js';
import { collected, timeOfDay, wholeNumber } from '../option-values.js';
import type { BenchArguments } from './bench-inputs.js';

const DEFAULT_KINDS = ['plan', 'walk', 'bike', 'car'];

export function benchCommand(): Command {
  const kinds = Object.entries(REQUEST_KINDS).map(([name, kind]) => `  ${name.padEnd(14)} ${kind.summary}`);
  return new Command('bench')
    .description('time requests in process and over HTTP, and check the answers')
    .option('--graphs <dir>', 'directory with one sub-directory per router', 'graphs')
    .option('--router <id>', 'router that gets the requests', 'default')
    .option('--url <address>', 'address of a running server with its mount, instead of starting one')
    .option('--no-inProcess', 'do not call the addon directly')
    .option('--no-http', 'send no requests over HTTP')
    .option(
      '--compare <address>',
      'address of another server of the interface with its mount, which gets the same requests',
    )
    .option('--compareRouter <id>', 'router of that server (default: the same)')
    .option('--pairs <file>', 'CSV with fromPlace, toPlace and optionally date, time; otherwise random pairs of stops')
    .option('--feeds <dir>', 'feeds whose stops random pairs are drawn from (default: those beside the graph)')
    .option('--count <n>', 'number of pairs', wholeNumber, 100)
    .option('--seed <n>', 'seed of the random pairs', wholeNumber, 1)
    .addOption(
      new Option('--check <what>', 'instead of timing, count first itineraries that another trip dominates').choices([
        'dominated',
      ]),
    )
    .option(
      '--tripUpdates <n>',
      'also measure plans in process while a message with updates of this many trips is applied each second',
      wholeNumber,
      0,
    )
    .addOption(
      new Option(
        '--suite <name>',
        'instead of timing a router, build sample cities of several sizes and time those (in a clone of the repository)',
      ).choices(['scale']),
    )
    .option('--peers', 'instead, compare with ferrobus and nigiri (installs them from PyPI; needs python3)')
    .option('--sizes <list>', 'vertices of these cities', sizeList, DEFAULT_SIZES)
    .option('--scratch <dir>', 'where cities are made or peers installed (default: a temporary directory; 3 GB at 5m)')
    .option('--report <dir>', 'where the report of the suite goes', 'report')
    .option('--kinds <names>', 'kinds of requests (below), separated by commas', kindList, DEFAULT_KINDS)
    .option(
      '--workers <list>',
      'numbers of requests that are sent at once, separated by commas; each is measured',
      numberList,
      [1, 2],
    )
    .option('--warmUp <n>', 'requests of each series before the clock starts (2 seconds at most)', wholeNumber, 500)
    .option('--rounds <n>', 'times each request is sent', wholeNumber, 1)
    .option('--date <date>', 'for example 2026-11-23 (default: today where the router is)')
    .option('--time <time>', 'for example 8:30', timeOfDay, '8:30')
    .option('--set <name=value>', 'any other request parameter; may be repeated', collected, [])
    .option('--json [file]', 'print the results as JSON, or write them to a file')
    .addHelpText('after', `\nKinds:\n${kinds.join('\n')}`)
    .action(run);
}

async function run(args: BenchArguments): Promise<void> {
  if (args.peers) {
    const { comparePeers } = await import('./run-peers.js');
    return comparePeers(args);
  }
  if (args.suite === 'scale') {
    const { scaleSuite } = await import('./run-scale.js');
    return scaleSuite(args);
  }
  const { bench } = await import('./run-bench.js');
  await bench(args);
}

function numberList(text: string): number[] {
  const list = text.split(',').map(wholeNumber);
  if (list.some((n) => n < 1 || n > 1000)) throw new InvalidArgumentError('Each must be from 1 to 1000.');
  return list;
}

function sizeList(text: string): number[] {
  const sizes = parseSizes(text);
  if (sizes === undefined) throw new InvalidArgumentError('Each must be like 100k or 6.3m.');
  return sizes;
}

function kindList(text: string): string[] {
  const names = elementsOf(text);
  if (names.length === 0) throw new InvalidArgumentError('At least one kind is needed.');
  const unknown = names.filter((name) => !Object.hasOwn(REQUEST_KINDS, name));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no kind ${unknown.join(', ')}.`);
  return names;
}
