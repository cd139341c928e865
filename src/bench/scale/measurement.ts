/** The measurements of the scale suite for one city. */

/** The cost of building a graph. */
export interface BuildMeasurements {
  seconds: number;
  /** Largest resident memory of the process, bytes. */
  peakBytes: number;
  /** Seconds of each step, in order. */
  steps: Record<string, number>;
  /** The graph file. */
  fileBytes: number;
  vertices: number;
  edges: number;
  trips: number;
}

/** Milliseconds of requests of one kind. */
interface KindMeasurements {
  kind: string;
  p50: number;
  p95: number;
}

/** The cost of searching a graph, in a new process. */
export interface RequestMeasurements {
  /** Milliseconds until the file was open and checked, the middle one of several times. */
  openMs: number;
  kinds: KindMeasurements[];
  /** Largest resident memory of the process, bytes. It includes the parts of the file that were read. */
  peakBytes: number;
}

export interface ScaleRow {
  build: BuildMeasurements;
  ask: RequestMeasurements;
}
