/** Alerts about a leg. */

import type { Alert } from '../api/answers.js';
import { t } from '../text/texts.js';
import { Icon } from '../ui/icon.js';
import { WebLink } from '../ui/web-link.js';

/** The alerts of the feed, in its own words. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <>
      {alerts.map(({ alertHeaderText: header, alertDescriptionText: text, alertUrl: url }) => (
        <div key={`${header}${text}`} class="alert" role="note">
          <Icon name="alert" size={18} />
          <div>
            <strong>{header ?? t('plan.notice')}</strong>
            {text !== undefined && text !== header && <p>{text}</p>}
            <WebLink address={url}>{t('plan.more')}</WebLink>
          </div>
        </div>
      ))}
    </>
  );
}
