/** Runs `trestle matrix`. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type NamedPlaces, readCsvPlaces } from '../../analysis/csv-points.js';
import { LONGEST_MATRIX_SECONDS, matrixRequest, originSlices } from '../../analysis/matrix.js';
import { counted } from '../../counted.js';
import { Query } from '../../http/params/query.js';
import { requestNow } from '../../http/params/routing-request.js';
import { graphInfo } from '../../native/graph-info.js';
import type { Graph, PlanRequest } from '../../native/types.js';
import { dateOf } from '../../zoned-time.js';
import { CommandFailure, EXIT } from '../failure.js';
import { configIn, openGraph, type SearchArguments } from '../graph-argument.js';
import { readPlaceFile } from '../place-file.js';
import { progressDisplay } from '../progress.js';
import { serviceDays } from '../service-days.js';
import { arrowMatrix, csvMatrix, type MatrixFormat } from './matrix-format.js';
import { OtherProgressError, ResumableFile } from './resumable-file.js';

/** The options of the command. */
export interface MatrixArguments extends SearchArguments {
  output: string;
  format?: 'csv' | 'arrow';
  maxWalkDistance?: string;
  maxTime: string;
  resume?: boolean;
}

/** Writes the travel times between the places of two files. */
export async function matrix(originsFile: string, destinationsFile: string, args: MatrixArguments): Promise<void> {
  const [origins, destinations] = await Promise.all([readPlaces(originsFile), readPlaces(destinationsFile)]);
  // Loads while the graph is opened; an error is thrown where the format is awaited.
  const format = chooseFormat(args, origins, destinations);
  format.catch(() => {});
  const maxSeconds = Number(args.maxTime);
  if (!Number.isInteger(maxSeconds) || maxSeconds < 1 || maxSeconds > LONGEST_MATRIX_SECONDS) {
    const range = `from 1 to ${LONGEST_MATRIX_SECONDS}`;
    throw new CommandFailure(`--maxTime ${args.maxTime}: expected whole seconds ${range}`, EXIT.usage);
  }
  const { graph, close } = await openGraph(args.graph, args.scenario);
  const display = await progressDisplay();
  const started = performance.now();
  try {
    const question = { request: readRequest(args, graph), origins, destinations, maxSeconds };
    warnOutsideService(graph, question.request);
    warnOutsideMap(graph, originsFile, origins);
    if (destinationsFile !== originsFile) warnOutsideMap(graph, destinationsFile, destinations);
    const file = await openOutput(args, graph, question, await format);
    const count = origins.ids.length - file.done;
    await write(graph, question, await format, file, (fraction) => display.listener('matrix', fraction));
    display.stop();
    const seconds = (performance.now() - started) / 1000;
    const rate = `${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`;
    console.log(`${counted(count, 'origin')} in ${rate}: ${args.output}`);
  } finally {
    display.stop();
    close();
  }
}

interface Question {
  readonly request: PlanRequest;
  readonly origins: NamedPlaces;
  readonly destinations: NamedPlaces;
  readonly maxSeconds: number;
}

function formatName({ format, output }: MatrixArguments): 'csv' | 'arrow' {
  return format ?? (/\.arrows?$/i.test(output) ? 'arrow' : 'csv');
}

async function chooseFormat(
  args: MatrixArguments,
  origins: NamedPlaces,
  destinations: NamedPlaces,
): Promise<MatrixFormat> {
  if (formatName(args) === 'arrow') return arrowMatrix(destinations.ids.length);
  return csvMatrix(origins.ids, destinations.ids);
}

async function openOutput(
  args: MatrixArguments,
  graph: Graph,
  { request, origins, destinations, maxSeconds }: Question,
  format: MatrixFormat,
): Promise<ResumableFile> {
  const hash = createHash('sha256');
  for (const { ids, positions } of [origins, destinations]) hash.update(JSON.stringify(ids)).update(positions);
  const { scenario = null } = args;
  const built = graphInfo(graph).buildTime;
  hash.update(JSON.stringify({ request, maxSeconds, scenario, format: formatName(args), built }));
  try {
    const file = await ResumableFile.open(args.output, hash.digest('hex'), args.resume ?? false);
    if (file.isEmpty) await file.append(format.head(), 0);
    return file;
  } catch (error) {
    if (error instanceof OtherProgressError) throw new CommandFailure(error.message, EXIT.usage);
    throw error;
  }
}

/** Keeps every processor busy with a slice of origins and writes the rows in order. */
async function write(
  graph: Graph,
  { request, origins, destinations, maxSeconds }: Question,
  format: MatrixFormat,
  file: ResumableFile,
  progress: (fraction: number) => void,
): Promise<void> {
  const threads = availableParallelism();
  const running: Array<Promise<Int32Array>> = [];
  const width = destinations.ids.length;
  const writeNext = async () => {
    const times = await running.shift();
    if (times === undefined) return;
    await file.append(format.rows(file.done, times), times.length / width);
    progress(file.done / origins.ids.length);
  };
  try {
    for (const slice of originSlices(origins.positions.subarray(file.done * 2), width, threads)) {
      running.push(graph.matrix(request, { ...slice, destinations: destinations.positions, maxSeconds }));
      // Twice as many slices as threads are searched ahead, so that no thread waits for the writing.
      if (running.length > 2 * threads) await writeNext();
    }
    while (running.length > 0) await writeNext();
    await file.append(format.tail(), 0);
    await file.finish();
  } catch (error) {
    await Promise.allSettled(running);
    await file.interrupt();
    throw error;
  }
}

async function readPlaces(file: string): Promise<NamedPlaces> {
  const places = await readPlaceFile(file, (file) => readCsvPlaces(createReadStream(file)));
  if (places.ids.length === 0) throw new CommandFailure(`${file}: no places`, EXIT.usage);
  return places;
}

function readRequest(args: MatrixArguments, graph: Graph): PlanRequest {
  const { date = dateOf(Date.now() / 1000, graph), time, mode, maxWalkDistance } = args;
  const query = Query.of({ date, time, mode, maxWalkDistance });
  return matrixRequest(requestNow(query, graph, configIn(graph)));
}

/**
 * Warns about a date outside the service period: no vehicles run then, which surprises people who left out the date.
 */
function warnOutsideService(graph: Graph, { epochSeconds, modes = ['TRANSIT'] }: PlanRequest): void {
  const info = graphInfo(graph);
  const { earliestServiceStart: starts = 0, latestServiceEnd: ends = 0, transitModes } = info;
  const rides = modes.some((mode) => mode === 'TRANSIT' || transitModes.some((known) => known === mode));
  if (!rides || (epochSeconds >= starts && epochSeconds < ends)) return;
  const period = serviceDays(info, graph) ?? 'which are empty';
  console.error(
    `trestle: ${dateOf(epochSeconds, graph)} is outside the timetables (${period}): no vehicle runs; see --date`,
  );
}

/** A place outside the map reaches nothing, which surprises people whose columns are swapped. */
function warnOutsideMap(graph: Graph, file: string, { ids, positions }: NamedPlaces): void {
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = graphInfo(graph);
  const outside = ids.filter((_, i) => {
    const [lat = 0, lon = 0] = positions.subarray(2 * i, 2 * i + 2);
    const beyond = [lon < lowerLeftLongitude, lon > upperRightLongitude];
    // An area across the 180th meridian has its eastern edge at the smaller longitude.
    const crosses = lowerLeftLongitude > upperRightLongitude;
    const isBeyond = crosses ? beyond.every(Boolean) : beyond.some(Boolean);
    return lat < lowerLeftLatitude || lat > upperRightLatitude || isBeyond;
  });
  if (outside.length === 0) return;
  const swapped = outside.length === ids.length ? '; are lat and lon swapped?' : '';
  const places = `${outside.length} of ${counted(ids.length, 'place')}`;
  const verb = outside.length === 1 ? 'is' : 'are';
  console.error(`trestle: ${file}: ${places} ${verb} outside the map${swapped}`);
}
