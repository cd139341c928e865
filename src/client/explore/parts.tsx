/** Parts that several views of Explore share. */

import type { ComponentChildren } from 'preact';
import type { AlertPatch } from '../../serialization/answers/index.js';
import type { AlertSubject } from '../api/server.js';
import { change } from '../state/address.js';
import { type Live, useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { clockTime, dayName, longDate } from '../text/format.js';
import { isolated } from '../text/isolated.js';
import { locale, t } from '../text/texts.js';
import { Failure } from '../ui/failure.js';
import { Icon } from '../ui/icon.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { RouteBadge } from '../ui/route-badge.js';
import { WebLink } from '../ui/web-link.js';
import { departureOf, punctuality, scheduledOf, timeOfDay } from './calls.js';
import type { Call, LineShort } from './index-answers.js';
import { lineName } from './line-order.js';

const ALERTS_EVERY_MS = 60_000;

/** The colours of a line in the form that badges take. */
export function coloured({ mode, color, textColor }: LineShort) {
  return { mode, routeColor: color ?? undefined, routeTextColor: textColor ?? undefined };
}

/** What the long name of a line adds to the short one; nothing where a feed has only a dash. */
export function addedName(line: LineShort): string | undefined {
  const { longName } = line;
  return longName !== null && /[\p{L}\p{N}]/u.test(longName) && longName !== lineName(line) ? longName : undefined;
}

/** Shows a trip on a day, `2026-11-23`. */
export function showTrip(id: string, tripDate: string): void {
  change({ thing: { kind: 'trip', id }, pattern: '', tripDate });
}

interface LineButtonProps {
  line: LineShort;
  /** The lines that riders regard as the same one, if there are others. */
  group?: readonly LineShort[];
  withName?: boolean;
}

/** A line that is shown when it is clicked, or the lines of a group. */
export function LineButton({ line, group = [line], withName = false }: LineButtonProps) {
  const name = lineName(line);
  const names = [...new Set(group.map(addedName))].filter((one) => one !== undefined);
  const id = group.map(({ gtfsId }) => gtfsId).join();
  // A badge cuts long texts short, so it has no text where the whole name is beside it.
  const badgeName = withName && !line.shortName ? '' : name;
  return (
    <button
      type="button"
      class="line-button"
      onClick={() => change({ thing: { kind: group.length === 1 ? 'line' : 'lines', id }, pattern: '' })}
    >
      <RouteBadge {...coloured(line)} name={badgeName} />
      {withName && badgeName === '' && <span>{name}</span>}
      {withName && names.length > 0 && <span class="added-names">{names.map(isolated).join(' · ')}</span>}
    </button>
  );
}

/**
 * Shows an answer once it is there; until then that it is loading, or what is wrong. When it cannot be refreshed, the
 * last answer stays below the reason. The answer is null when a link names something that is no longer in the schedule.
 */
export function Answer<T>({ live, children }: { live: Live<T | null>; children: (value: T) => ComponentChildren }) {
  const root = useKeptFocus<HTMLDivElement>();
  const { value, problem, retry } = live;
  return (
    <div ref={root} tabIndex={-1} class="answer">
      {value === undefined && !problem && <p class="hint">{t('common.loading')}</p>}
      {problem && <Failure problem={problem} onRetry={retry} />}
      {value === null && <p class="hint">{t('explore.unknown')}</p>}
      {value !== undefined && value !== null && children(value)}
    </div>
  );
}

/** The time of a departure, and the scheduled one where they differ. */
export function CallTime({ call }: { call: Omit<Call, 'trip'> }) {
  const { calendar } = useShown();
  const shown = (epochMs: number) => clockTime(epochMs, calendar.timeZone, locale.value);
  const state = punctuality(call);
  const scheduled = shown(scheduledOf(call));
  return (
    <span class={`call-time ${state}`}>
      {state === 'canceled' ? <s>{scheduled}</s> : <b>{shown(departureOf(call))}</b>}
      {state !== 'scheduled' && (
        <small>
          {state !== 'canceled' && <Icon name="live" size={14} />} {delayText(call)}
        </small>
      )}
    </span>
  );
}

function delayText(call: Omit<Call, 'trip'>): string {
  const state = punctuality(call);
  const count = Math.round(Math.abs(call.realtimeDeparture - call.scheduledDeparture) / 60);
  if (state === 'late') return t('explore.late', { count });
  if (state === 'early') return t('explore.early', { count });
  return state === 'canceled' ? t('explore.canceled') : t('explore.punctual');
}

/** Alerts in the language of the page: about any of these things, or without them all alerts of the router. */
export function useAlerts(about: AlertSubject[] = []): Live<AlertPatch[]> {
  const { api } = useShown();
  const language = locale.value;
  const ask = (signal: AbortSignal) => api.alerts(language, about, signal);
  return useLive(ask, [api, language, JSON.stringify(about)], ALERTS_EVERY_MS);
}

/** Alerts that have not ended; each text once, or once for each run that it is about. */
export function Alerts({ alerts }: { alerts: readonly AlertPatch[] }) {
  const { calendar } = useShown();
  const now = Date.now();
  const day = (epochMs: number) => dayName(epochMs, calendar.timeZone, locale.value);
  const shown = new Map<string, AlertPatch>();
  for (const patch of alerts) {
    const { alertHeaderText = '', alertDescriptionText = '', effectiveEndDate = now } = patch.alert;
    const run = patch.startTime === undefined ? '' : `${patch.serviceDate} ${patch.startTime}`;
    if (effectiveEndDate >= now) shown.set(`${alertHeaderText}\n${alertDescriptionText}\n${run}`, patch);
  }
  if (shown.size === 0) return null;
  return (
    <ul class="alerts" aria-label={t('explore.alerts')}>
      {[...shown].map(([key, { alert, serviceDate, startTime }]) => (
        <li key={key}>
          <Icon name="alert" />
          <div>
            {alert.alertHeaderText && <b>{alert.alertHeaderText}</b>}
            {alert.alertDescriptionText && <p>{alert.alertDescriptionText}</p>}
            {startTime !== undefined && <p class="hint">{runText(startTime, serviceDate)}</p>}
            {alert.effectiveStartDate !== undefined && alert.effectiveStartDate > now && (
              <p class="hint">{t('explore.from', { day: day(alert.effectiveStartDate) })}</p>
            )}
            <WebLink address={alert.alertUrl}>{t('common.more')}</WebLink>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Names a run by its first departure, seconds of the service day, and the day (`20261123`) if that is known. */
function runText(startTime: number, serviceDate?: string): string {
  const trip = t('explore.showTrip', { time: timeOfDay(startTime) });
  if (serviceDate === undefined) return trip;
  return `${longDate(serviceDate.replace(/^(....)(..)(..)$/, '$1-$2-$3'), locale.value)} · ${trip}`;
}
