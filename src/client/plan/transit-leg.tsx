/** A ride in a vehicle with a timetable. */

import type { Leg } from '../api/answers.js';
import { clockTime, duration, shownDuration } from '../text/format.js';
import { isolated } from '../text/isolated.js';
import { locale, t } from '../text/texts.js';
import { modeName, RouteBadge } from '../ui/route-badge.js';
import { Alerts } from './alerts.js';
import { point } from './pointed.js';

/** Shorter delays count as on time, seconds. */
const ON_TIME = 30;

/** The route, how long the ride takes, and the stops on the way. */
export function TransitLeg({ leg, timeZone }: { leg: Leg; timeZone: string }) {
  const stops = leg.intermediateStops ?? [];
  const spoken = locale.value;
  const facts = [shownDuration(leg, spoken)];
  if (leg.headway) facts.push(t('plan.every', { time: duration(leg.headway, spoken) }));
  if (leg.interlineWithPreviousLeg) facts.push(t('plan.staySeated'));
  return (
    <div class="leg-body">
      <p class="line">
        <RouteBadge {...leg} name={leg.route} />
        <span>
          {leg.headsign ? t('plan.towards', { place: leg.headsign }) : (leg.routeLongName ?? modeName(leg.mode))}
        </span>
      </p>
      <p class="soft">{[leg.agencyName ?? '', leg.tripShortName ?? ''].filter(Boolean).map(isolated).join(' · ')}</p>
      {leg.realTime && <Delay seconds={leg.departureDelay} />}
      {stops.length === 0 ? (
        <p class="soft">{facts.join(' · ')}</p>
      ) : (
        <details>
          <summary>{[t('plan.stops', { count: stops.length + 1 }), ...facts].join(' · ')}</summary>
          <ol class="stops">
            {stops.map((stop) => (
              <li
                key={`${stop.stopId}${stop.arrival}`}
                onPointerEnter={() => point(stop)}
                onPointerLeave={() => point(undefined)}
              >
                <time>{clockTime(stop.arrival ?? leg.startTime, timeZone, spoken)}</time>
                <span>{stop.name}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
      <Alerts alerts={leg.alerts ?? []} />
    </div>
  );
}

function Delay({ seconds }: { seconds: number }) {
  if (Math.abs(seconds) < ON_TIME) return <p class="timely">{t('plan.onTime')}</p>;
  const time = duration(Math.abs(seconds), locale.value);
  return seconds > 0 ? <p class="late">{t('plan.late', { time })}</p> : <p class="late">{t('plan.early', { time })}</p>;
}
