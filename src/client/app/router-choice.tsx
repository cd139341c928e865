/** The choice of a router. */

import { changeRouter } from '../state/address.js';
import { routerName, useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';

/** A list of the routers, if there are several. */
export function RouterChoice() {
  const { routers } = useApp();
  const { info } = useShown();
  if (routers.length < 2) return <span class="router-name">{routerName(info.routerId)}</span>;
  return (
    <select
      class="router-choice"
      aria-label={t('common.area')}
      value={info.routerId}
      onChange={({ currentTarget }) => changeRouter(currentTarget.value)}
    >
      {routers.map(({ routerId }) => (
        <option key={routerId} value={routerId}>
          {routerName(routerId)}
        </option>
      ))}
    </select>
  );
}
