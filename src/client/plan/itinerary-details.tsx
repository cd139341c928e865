/** An itinerary, leg by leg, beside a line with times. */

import type { Itinerary, Leg, Money, Place } from '../api/answers.js';
import { clockTime, minutesBetween, price } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { routeColor } from '../ui/route-badge.js';
import { pauseBetween } from './itinerary.js';
import { StreetLeg } from './street-leg.js';
import { TransitLeg } from './transit-leg.js';

/** The colour of an end of a trip that is not that of a leg. */
const STREET = { '--leg': 'var(--soft)' };

/** Legs and fares. */
export function ItineraryDetails({ itinerary, timeZone }: { itinerary: Itinerary; timeZone: string }) {
  const { startTime, endTime, legs, fare } = itinerary;
  const [first, last] = [legs[0], legs.at(-1)];
  // At the door of a station, a trip by train begins before the train leaves, and ends after it has arrived.
  const wait = first ? minutesBetween(startTime, first.startTime) : 0;
  const getOff = last ? minutesBetween(last.endTime, endTime) : 0;
  return (
    <div class="details">
      <ol class="legs">
        {wait > 0 && (
          <li style={STREET}>
            <End name={t('plan.from')} time={startTime} timeZone={timeZone} />
            <p class="waiting-time">{t('plan.wait', { minutes: wait })}</p>
          </li>
        )}
        {legs.map((leg, index) => (
          <LegItem key={leg.startTime} leg={leg} before={legs[index - 1]} timeZone={timeZone} />
        ))}
        {last && (
          <li class="stop-line end">
            <Arrival leg={last} timeZone={timeZone} />
          </li>
        )}
        {getOff > 0 && (
          <li style={STREET}>
            <p class="waiting-time">{t('plan.getOff', { minutes: getOff })}</p>
            <End name={t('plan.to')} time={endTime} timeZone={timeZone} />
          </li>
        )}
      </ol>
      {fare && Object.keys(fare.fare).length > 0 && <Fares prices={fare.fare} />}
    </div>
  );
}

/** The beginning or the end of a trip that is not that of a leg. */
function End({ name, time, timeZone }: { name: string; time: number; timeZone: string }) {
  return (
    <div class="stop-line">
      <span class="leg-time">
        <time>{clockTime(time, timeZone, locale.value)}</time>
      </span>
      <span class="dot" />
      <span class="place-name">
        <strong>{name}</strong>
      </span>
    </div>
  );
}

function LegItem({ leg, before, timeZone }: { leg: Leg; before: Leg | undefined; timeZone: string }) {
  const pause = before && pauseText(before, leg);
  // The line of a street leg begins with the time at which the leg before it has ended, unless something is between them.
  const ends = leg.transitLeg ? before?.transitLeg : pause !== undefined;
  return (
    <li class={leg.transitLeg ? 'leg transit' : 'leg street'} style={{ '--leg': routeColor(leg) }}>
      {before && ends && (
        <div class="stop-line">
          <Arrival leg={before} timeZone={timeZone} />
        </div>
      )}
      {pause !== undefined && <p class="waiting-time">{pause}</p>}
      <div class="stop-line">
        <Times scheduled={leg.startTime - leg.departureDelay * 1000} actual={leg.startTime} leg={leg} zone={timeZone} />
        <span class="dot" />
        {before && joinOnTheWay(before, leg) ? (
          <PlaceName place={before.to} unnamed={t('plan.via')} />
        ) : (
          <PlaceName place={leg.from} />
        )}
      </div>
      <div class="ride">
        <span class="rail" />
        {leg.transitLeg ? <TransitLeg leg={leg} timeZone={timeZone} /> : <StreetLeg leg={leg} />}
      </div>
    </li>
  );
}

/** What the minutes between two legs are for; undefined if there are none. */
function pauseText(before: Leg, leg: Leg): string | undefined {
  const minutes = minutesBetween(before.endTime, leg.startTime);
  if (minutes <= 0 || leg.interlineWithPreviousLeg) return undefined;
  return t(`plan.${pauseBetween(before, leg)}`, { minutes });
}

function Arrival({ leg, timeZone }: { leg: Leg; timeZone: string }) {
  const { endTime, arrivalDelay, to } = leg;
  return (
    <>
      <Times scheduled={endTime - arrivalDelay * 1000} actual={endTime} leg={leg} zone={timeZone} />
      <span class="dot" style={{ '--leg': routeColor(leg) }} />
      <PlaceName place={to} />
    </>
  );
}

/** The expected time, and the scheduled one where it differs. */
function Times({ scheduled, actual, leg, zone }: { scheduled: number; actual: number; leg: Leg; zone: string }) {
  const [expected, planned] = [actual, scheduled].map((time) => clockTime(time, zone, locale.value));
  const differs = leg.realTime && expected !== planned;
  const late = actual > scheduled;
  return (
    <span class="leg-time">
      <time class={leg.realTime ? (differs && late ? 'late' : 'timely') : undefined}>{expected}</time>
      {differs && (
        <s>
          <span class="unseen">{t('plan.scheduled')} </span>
          {planned}
        </s>
      )}
    </span>
  );
}

/** Whether two legs join at a place on the way. Only the first one knows the name that the traveller gave it. */
function joinOnTheWay({ to }: Leg, { from }: Leg): boolean {
  return to.vertexType === 'NORMAL' && from.vertexType === 'NORMAL' && to.name !== from.name;
}

/** The name of a place; for a destination without one, the text. */
function PlaceName({ place, unnamed = t('plan.to') }: { place: Place; unnamed?: string }) {
  const names: Readonly<Record<string, string>> = { Origin: t('plan.from'), Destination: unnamed };
  return (
    <span class="place-name">
      <strong>{names[place.name] ?? place.name}</strong>
      {place.platformCode !== undefined && (
        <span class="platform">{t('plan.platform', { code: place.platformCode })}</span>
      )}
    </span>
  );
}

/** Prices by fare; fares other than the regular one have the feed's names. */
function Fares({ prices }: { prices: Readonly<Record<string, Money>> }) {
  const kinds = Object.entries(prices);
  return (
    <dl class="fares">
      {kinds.map(([kind, money]) => (
        <div key={kind}>
          <dt>{kind === 'regular' ? t('plan.fare') : kind}</dt>
          <dd>{price(money, locale.value)}</dd>
        </div>
      ))}
    </dl>
  );
}
