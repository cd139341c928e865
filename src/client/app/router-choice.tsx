/** The choice of a router. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { changeRouter } from '../state/address.js';
import { routerName, useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';

/** Whether the list is being used: the page of the router that it chose has a new one. */
let isInUse = false;

/** A list of the routers, if there are several. */
export function RouterChoice() {
  const { routers } = useApp();
  const { info } = useShown();
  const list = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    if (isInUse) list.current?.focus({ preventScroll: true });
    isInUse = false;
  }, []);
  if (routers.length < 2) return <span class="router-name">{routerName(info.routerId)}</span>;
  return (
    <select
      ref={list}
      class="router-choice"
      aria-label={t('common.area')}
      value={info.routerId}
      onChange={({ currentTarget }) => {
        isInUse = true;
        changeRouter(currentTarget.value);
      }}
    >
      {routers.map(({ routerId }) => (
        <option key={routerId} value={routerId}>
          {routerName(routerId)}
        </option>
      ))}
    </select>
  );
}
