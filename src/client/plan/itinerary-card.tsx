/** One itinerary: a summary with a bar on the common time axis. It unfolds into its legs. */

import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Itinerary, Leg, Money } from '../api/answers.js';
import { calm, units } from '../state/preferences.js';
import { isNarrow } from '../state/sheet-size.js';
import { clockTime, distance, price, shownDuration, shownMinutes } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Icon } from '../ui/icon.js';
import { modeIcon, modeName, RouteBadge, routeColor } from '../ui/route-badge.js';
import { alertsOf, metresIn, usesTransit } from './itinerary.js';
import { ItineraryDetails } from './itinerary-details.js';
import { printing, unfold } from './print-trip.js';
import { positionOn, type TimeScale } from './time-scale.js';

interface CardProps {
  itinerary: Itinerary;
  scale: TimeScale;
  /** The day on which it begins, if it is not the one above the list. */
  day: string | undefined;
  /** Whether it is the one on the map. */
  shown: boolean;
  /** Whether its legs are unfolded. */
  open: boolean;
  onToggle: () => void;
}

/** Street legs shorter than this are left out of the summary, seconds. */
const BRIEF = 60;

export function ItineraryCard({ itinerary, scale, day, shown, open, onToggle }: CardProps) {
  const id = useId();
  const root = useRef<HTMLLIElement>(null);
  const seen = open || (shown && isNarrow.value);
  useLayoutEffect(() => {
    // Another card has closed, which may have moved this one out of sight; a phone may show no card at first.
    if (seen) root.current?.scrollIntoView({ block: 'nearest', behavior: calm.matches ? 'auto' : 'smooth' });
  }, [seen, open]);
  const printed = shown && printing.value;
  // The legs of a folded card are drawn first, for paper.
  useLayoutEffect(() => (printed ? unfold(root.current) : undefined), [printed]);
  const { startTime, endTime, legs } = itinerary;
  const clock = (time: number) => clockTime(time, scale.timeZone, locale.value);
  return (
    <li ref={root} class={`card${shown ? ' shown' : ''}${open ? ' open' : ''}`}>
      <button type="button" class="summary" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <span class="card-head">
          <span class="times">
            {clock(startTime)} – {clock(endTime)}
          </span>
          {day !== undefined && <span class="soft">{day}</span>}
          <span class="length">{shownDuration(itinerary, locale.value)}</span>
        </span>
        <span class="chain">
          {legs.filter(isWorthNaming).map((leg) => (
            <LegSign key={leg.startTime} leg={leg} />
          ))}
        </span>
        <Bar legs={legs} scale={scale} />
        <Facts itinerary={itinerary} />
        {itinerary.tooSloped && (
          <span class="facts too-steep">
            <Icon name="alert" size={16} />
            {t('plan.tooSteep')}
          </span>
        )}
      </button>
      <div id={id} hidden={!open && !printed}>
        {(open || printed) && <ItineraryDetails itinerary={itinerary} timeZone={scale.timeZone} />}
      </div>
    </li>
  );
}

function isWorthNaming({ transitLeg, duration: seconds }: Leg, _: number, legs: readonly Leg[]): boolean {
  return transitLeg || seconds >= BRIEF || legs.length === 1;
}

function LegSign({ leg }: { leg: Leg }) {
  if (leg.transitLeg) return <RouteBadge {...leg} name={leg.route} />;
  return (
    <span class="leg-sign">
      <Icon name={modeIcon(leg.mode)} title={modeName(leg.mode)} size={18} />
      {shownMinutes(leg)}
    </span>
  );
}

/** The legs along the axis; the gaps between them are waiting times. */
function Bar({ legs, scale }: { legs: readonly Leg[]; scale: TimeScale }) {
  const [first, last] = [legs[0], legs.at(-1)];
  if (!first || !last) return null;
  const from = positionOn(scale, first.startTime);
  return (
    <span class="bar" aria-hidden="true">
      <span class="whole" style={{ left: `${from}%`, width: `${positionOn(scale, last.endTime) - from}%` }} />
      {legs.map((leg) => {
        const left = positionOn(scale, leg.startTime);
        const style = {
          left: `${left}%`,
          width: `${positionOn(scale, leg.endTime) - left}%`,
          '--leg': routeColor(leg),
        };
        return <span key={leg.startTime} class={leg.transitLeg ? 'part' : 'part street'} style={style} />;
      })}
    </span>
  );
}

/** Transfers, distances on foot and by bicycle, price, and icons for alerts and live times. */
function Facts({ itinerary }: { itinerary: Itinerary }) {
  const conventions = { locale: locale.value, units: units.value };
  const facts: string[] = [];
  if (usesTransit(itinerary)) {
    facts.push(itinerary.transfers === 0 ? t('plan.direct') : t('plan.transfers', { count: itinerary.transfers }));
  }
  const [onFoot, cycled] = [metresIn(itinerary, 'WALK'), metresIn(itinerary, 'BICYCLE')];
  if (onFoot >= 1) facts.push(t('plan.onFoot', { distance: distance(onFoot, conventions) }));
  if (cycled >= 1) facts.push(t('plan.byBike', { distance: distance(cycled, conventions) }));
  const driven = metresIn(itinerary, 'CAR');
  if (driven >= 1) facts.push(t('plan.byCar', { distance: distance(driven, conventions) }));
  const fare = regularFare(itinerary);
  if (fare) facts.push(price(fare, locale.value));
  const alerts = alertsOf(itinerary).length;
  const live = itinerary.legs.some(({ realTime }) => realTime);
  return (
    <span class="facts">
      <span>{facts.join(' · ')}</span>
      {live && (
        <span class="live">
          <Icon name="live" title={t('plan.live')} size={16} />
        </span>
      )}
      {alerts > 0 && (
        <span class="warned">
          <Icon name="alert" title={t('plan.alerts', { count: alerts })} size={16} />
        </span>
      )}
    </span>
  );
}

/** The regular price, or else the first one. */
function regularFare({ fare }: Itinerary): Money | undefined {
  const prices = fare?.fare ?? {};
  return prices.regular ?? Object.values(prices)[0];
}
