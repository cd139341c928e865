/**
 * Traces of the time that a request or a part of a job takes. Off until `startTracing` sets a tracer; until then
 * everything here only calls the work.
 */

/** A value of a span. */
type Attribute = string | number | boolean;

/** How a span begins. */
export interface SpanStart {
  readonly name: string;
  /** The role of the span towards others; `internal` when absent. */
  readonly kind?: 'server' | 'producer' | 'consumer';
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** W3C `traceparent` of a span elsewhere; the present span when absent. */
  readonly parent?: string | undefined;
  /** Epoch milliseconds when it began; now when absent. */
  readonly since?: number;
}

export interface OpenSpan {
  /** Runs work while this is the present span. */
  within<T>(work: () => T): T;
  rename(name: string): void;
  set(attributes: Readonly<Record<string, Attribute>>): void;
  /** Ends it, as failed when there is a reason. */
  end(failure?: unknown): void;
}

/** Makes spans. */
export interface Tracer {
  open(start: SpanStart): OpenSpan;
  /** W3C `traceparent` of the present span. */
  readonly present: string | undefined;
  /** Sends the spans that have not been sent. */
  close(): Promise<void>;
}

/** Waits for turns; see `Turns` of the handlers. */
interface Waiting {
  run<T>(search: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

let tracer: Tracer | undefined;

/** Traces from now on. */
export function setTracer(made: Tracer | undefined): void {
  tracer = made;
}

/** The tracer; undefined while tracing is off. */
export function presentTracer(): Tracer | undefined {
  return tracer;
}

/** Runs work as a span. */
export async function traced<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  const span = tracer?.open(start);
  if (span === undefined) return work();
  try {
    const result = await span.within(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Runs a search when it is its turn; the wait and the search are spans. */
export function tracedTurns<T>(
  turns: Waiting,
  name: string,
  search: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const waiting = tracer?.open({ name: `wait for a turn: ${name}` });
  if (waiting === undefined) return turns.run(search, signal);
  let isAdmitted = false;
  const admitted = () => {
    isAdmitted = true;
    waiting.end();
    return traced({ name }, search);
  };
  return turns.run(admitted, signal).catch((error: unknown) => {
    if (!isAdmitted) waiting.end(error);
    throw error;
  });
}

/** Makes spans of the calls of methods that return promises. Does nothing while tracing is off. */
export function traceMethods(prototype: object, names: readonly string[], prefix: string): void {
  if (tracer === undefined) return;
  const methods = prototype as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of names) {
    const method = methods[name];
    if (method === undefined) throw new Error(`no method ${name}`);
    methods[name] = function (this: unknown, ...args) {
      return traced({ name: `${prefix} ${name}` }, () => method.apply(this, args));
    };
  }
}
