/** The answer to a request, or why there is none. */

import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.js';
import { Failure } from './failure.js';
import { useKeptFocus } from './kept-focus.js';

interface OutcomeProps {
  class?: string;
  problem: Problem | undefined;
  /** Sends the request again. */
  onRetry: () => unknown;
  children: ComponentChildren;
}

/** Shows the answer or, if there is one, the problem instead. */
export function Outcome({ class: className, problem, onRetry, children }: OutcomeProps) {
  const root = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={root} tabIndex={-1} class={className}>
      {problem ? <Failure problem={problem} onRetry={onRetry} /> : children}
    </div>
  );
}
