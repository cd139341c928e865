/** The choice of a router. */

import { change } from '../state/address.js';
import { useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';

/** A list of the routers, if there are several. Places and results of one are useless with another. */
export function RouterChoice() {
  const { routers } = useApp();
  const { info } = useShown();
  if (routers.length < 2) return <span class="router-name">{routerName(info.routerId)}</span>;
  return (
    <select
      class="router-choice"
      aria-label={t('common.area')}
      value={info.routerId}
      onChange={({ currentTarget }) => showRouter(currentTarget.value)}
    >
      {routers.map(({ routerId }) => (
        <option key={routerId} value={routerId}>
          {routerName(routerId)}
        </option>
      ))}
    </select>
  );
}

/** Shows another router and forgets what was chosen in the one before. */
export function showRouter(router: string): void {
  const nowhere = { from: undefined, to: undefined, via: [] };
  change({ router, ...nowhere, when: undefined, date: undefined, time: undefined, earlier: 0, later: 0, chosen: '' });
}

/** The id as a title. */
export function routerName(id: string): string {
  return id === '' ? '/' : id;
}
