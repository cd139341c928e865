/** A link to what is shown, and printing. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/texts.js';
import { IconButton } from '../ui/controls.js';
import { printTrip } from './print-trip.js';

/** Copies the link, or shows it where the browser does not allow copying. */
export function ShareTools({ link }: { link: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'by hand'>('no');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), [copied]);
  const copy = () => {
    const done = navigator.clipboard?.writeText(link) ?? Promise.reject(new Error('no clipboard'));
    done.then(
      () => setCopied('yes'),
      () => setCopied('by hand'),
    );
  };
  return (
    <div class="share">
      <span role="status" class="soft">
        {copied === 'yes' && t('plan.copied')}
      </span>
      {copied === 'by hand' && (
        <input
          ref={field}
          readOnly
          aria-label={t('plan.link')}
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
      <IconButton icon="link" label={t('plan.copyLink')} onClick={copy} />
      <IconButton icon="print" label={t('plan.print')} onClick={() => printTrip()} />
    </div>
  );
}
