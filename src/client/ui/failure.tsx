/** Messages about what went wrong. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { isTemporary, type Problem, retryPause } from '../api/problem.js';
import { t } from '../text/texts.js';
import { Button } from './controls.js';
import { Icon } from './icon.js';

interface FailureProps {
  problem: Problem;
  /** Sends the request again; it may resolve when the answer is there. */
  onRetry?: () => unknown;
  /** Whether only the button sends it again, as for a download, which would begin without being expected. */
  isByHand?: boolean;
}

/**
 * An error with a button that sends the request again. Where the server may answer a little later, this also happens
 * after pauses, and when the network is back. A place off the map stays there, so it has no button.
 */
export function Failure({ problem, onRetry, isByHand = false }: FailureProps) {
  useRetries(problem, isByHand ? undefined : onRetry);
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    try {
      await onRetry?.();
    } finally {
      setAsking(false);
    }
  };
  return (
    <div class={problem.kind === 'offMap' ? 'failure mild' : 'failure'} role="alert">
      <Icon name="alert" />
      <p>{problemText(problem)}</p>
      {onRetry && problem.kind !== 'offMap' && (
        <Button onClick={ask} disabled={isAsking}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

/** Retries once for each problem, after longer and longer pauses: a request that fails again has a new problem. */
function useRetries(problem: Problem, onRetry: (() => unknown) | undefined): void {
  const latest = useRef(onRetry);
  latest.current = onRetry;
  const failures = useRef(0);
  const isRetried = onRetry !== undefined && isTemporary(problem);
  useEffect(() => {
    if (!isRetried) return;
    failures.current += 1;
    const retry = () => latest.current?.();
    const timer = setTimeout(retry, retryPause(failures.current));
    window.addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    };
  }, [problem, isRetried]);
}

/** The problem in the user's language; the server's own text is in English. */
export function problemText({ kind, text = '' }: Problem): string {
  return t(`common.problem.${kind}`, { text });
}
