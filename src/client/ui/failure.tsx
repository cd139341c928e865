/** Messages about what went wrong. */

import { useEffect } from 'preact/hooks';
import type { Problem } from '../api/problem.js';
import { t } from '../text/texts.js';
import { Button } from './controls.js';
import { Icon } from './icon.js';

/**
 * An error with a button that sends the request again, which also happens when the network is back. A place off the map
 * stays there, so it has no button.
 */
export function Failure({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  useEffect(() => {
    if (onRetry === undefined || problem.kind !== 'unreachable') return;
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [problem, onRetry]);
  return (
    <div class={problem.kind === 'offMap' ? 'failure mild' : 'failure'} role="alert">
      <Icon name="alert" />
      <p>{problemText(problem)}</p>
      {onRetry && problem.kind !== 'offMap' && <Button onClick={onRetry}>{t('common.retry')}</Button>}
    </div>
  );
}

/** The problem in the user's language; the server's own text is in English. */
export function problemText({ kind, text = '' }: Problem): string {
  return t(`common.problem.${kind}`, { text });
}
