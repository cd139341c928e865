/** Alerts about a leg. */

import type { Alert } from '../api/answers.js';
import { type TextKey, t } from '../text/texts.js';
import { Icon } from '../ui/icon.js';
import { WebLink } from '../ui/web-link.js';

/** What the map says about streets, which the interface writes in English. */
const NOTES: Readonly<Record<string, TextKey>> = {
  'Unpaved surface': 'plan.note.unpaved',
  'Unpaved surface -- muddy!': 'plan.note.muddy',
  'Toll road': 'plan.note.toll',
  'Caution!': 'plan.note.caution',
};

/** The alerts of the feed, in its own words, and notes about streets. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <>
      {alerts.map(({ alertHeaderText: header, alertDescriptionText: text, alertUrl: url }) => (
        <div key={`${header}${text}`} class="alert" role="note">
          <Icon name="alert" size={18} />
          <div>
            <strong>{headline(header)}</strong>
            {text !== undefined && text !== header && <p>{text}</p>}
            <WebLink address={url}>{t('common.more')}</WebLink>
          </div>
        </div>
      ))}
    </>
  );
}

function headline(header: string | undefined): string {
  if (header === undefined) return t('plan.notice');
  const note = Object.hasOwn(NOTES, header) ? NOTES[header] : undefined;
  return note === undefined ? header : t(note);
}
