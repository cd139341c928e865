/** One router: its bounds, its service period, its updaters and the report of its build. */

import { useMemo } from 'preact/hooks';
import type { RouterInfo } from '../api/answers.js';
import type { OperationApi } from '../api/operation.js';
import { boundsOf } from '../map/bounds.js';
import { mapView } from '../map/shown-map.js';
import { LatestRequest } from '../state/latest-request.js';
import { loginCredentials } from '../state/login.js';
import { DAY_MS } from '../state/moment.js';
import { routerName, useApp, useShown } from '../state/shown.js';
import { clockTime, longDate } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { BuildReportView } from './build-report-view.js';
import { JobsView } from './jobs-view.js';
import { periodOf } from './period.js';
import { Updaters } from './updaters.js';

/** When the schedule ends within this many days, it should be replaced. */
const SOON_DAYS = 14;

interface CardProps {
  api: OperationApi;
  router: RouterInfo;
  open: boolean;
  onOpen: () => void;
}

/** The facts of a router; unfolded, it shows more. */
export function RouterCard({ api, router, open, onOpen }: CardProps) {
  const { info } = useShown();
  const { routerId } = router;
  return (
    <article class="router">
      <button type="button" class="router-head" aria-expanded={open} onClick={onOpen}>
        <strong>{routerName(routerId)}</strong>
        <Period router={router} />
      </button>
      {open && (
        <div class="router-body">
          <Bounds router={router} canShow={info.routerId === routerId} />
          <Updaters api={api} routerId={routerId} />
          <JobsView api={api} routerId={routerId} />
          <BuildReportView api={api} routerId={routerId} />
          <Reload api={api} routerId={routerId} />
        </div>
      )}
    </article>
  );
}

/** The first and last day of the schedule, and whether it ends soon. */
function Period({ router }: { router: RouterInfo }) {
  const { transitServiceEnds: ends } = router;
  if (ends === 0) return <span class="hint">{t('operate.noTransit')}</span>;
  const { first, last } = periodOf(router);
  const days = Math.floor((ends * 1000 - Date.now()) / DAY_MS);
  const state = days < 0 ? 'bad' : days < SOON_DAYS ? 'warn' : 'good';
  return (
    <>
      <span class="hint">{`${longDate(first, locale.value)} – ${longDate(last, locale.value)}`}</span>
      <span class={`badge ${state}`}>{days < 0 ? t('operate.over') : t('operate.daysLeft', { count: days })}</span>
    </>
  );
}

function Bounds({ router, canShow }: { router: RouterInfo; canShow: boolean }) {
  const [west, south, east, north] = boundsOf(router);
  const degrees = (value: number) => value.toFixed(3);
  return (
    <div class="line">
      <span>
        {t('operate.bounds')}: {degrees(south)}, {degrees(west)} – {degrees(north)}, {degrees(east)}
      </span>
      {canShow && (
        <Button kind="quiet" icon="extent" onClick={() => mapView.value?.fit(boundsOf(router))}>
          {t('common.showAll')}
        </Button>
      )}
    </div>
  );
}

/** Loads the graph from its directory again. */
function Reload({ api, routerId }: { api: OperationApi; routerId: string }) {
  const { calendar } = useShown();
  const app = useApp();
  const reloading = useMemo(() => new LatestRequest<number>(), []);
  const { value: at, problem, running } = reloading.status.value;
  const reload = () =>
    reloading.run(async () => {
      await api.reload(routerId, loginCredentials());
      await app.findRouters();
      return Date.now();
    });
  return (
    <div class="line">
      <Button onClick={reload} disabled={running}>
        {t('operate.reload')}
      </Button>
      <span role="status">
        {running && t('operate.reloading')}
        {at !== undefined &&
          !running &&
          t('operate.reloaded', { time: clockTime(at, calendar.timeZone, locale.value) })}
      </span>
      {problem && <Failure problem={problem} />}
    </div>
  );
}
