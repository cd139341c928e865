/** Answers about jobs. */

import { integer, list, named, number, oneOf, optional, type Static, text } from './schema.js';

const Failure = named(
  'JobFailure',
  {
    firstOrigin: integer('Number of the first origin, from 0'),
    origins: integer('Number of origins'),
    message: text(),
  },
  'Origins without a result',
);

export const Job = named(
  'Job',
  {
    id: text(),
    name: optional(text()),
    routerId: text(),
    kind: oneOf(['matrix', 'isochrones', 'accessibility']),
    state: oneOf(['waiting', 'running', 'complete', 'failed', 'cancelled']),
    priority: integer('0 to 9; jobs with a higher priority come first'),
    created: text('ISO 8601, like the times that follow'),
    started: optional(text()),
    ended: optional(text()),
    origins: integer(),
    originsDone: integer(),
    parts: integer('Files of the result'),
    partsDone: integer(),
    originsPerSecond: optional(number('Of the present run, or of the last one')),
    remainingSeconds: optional(number('At that rate')),
    failures: list(Failure),
    result: text('Folder of the server, or address in the object store, of the result'),
  },
  'Searches from many origins, and their progress',
);
export type Job = Static<typeof Job>;

export const JobList = list(Job, 'The latest first');
export type JobList = Static<typeof JobList>;
