/** A stop: its next departures with live times, its lines and its alerts. */

import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { boundsAround } from '../map/bounds.js';
import { mapView } from '../map/shown-map.js';
import { useMapData } from '../map/use-map.js';
import { useNameSides } from '../map/use-name-sides.js';
import { change } from '../state/address.js';
import { useLive } from '../state/live.js';
import { epochSeconds } from '../state/moment.js';
import type { Position } from '../state/place.js';
import { useShown } from '../state/shown.js';
import { dayName, localDateTime } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { MomentChoice, useMoment } from '../ui/moment-field.js';
import { RouteBadge } from '../ui/route-badge.js';
import { Title } from '../ui/title.js';
import { type Departure, departureOf, departuresOf, linesOf, serviceDate } from './calls.js';
import { chosenStops } from './explore-features.js';
import { groupedLines } from './groups.js';
import type { StopDetails } from './index-answers.js';
import { askStops } from './index-queries.js';
import { inOrder, lineName } from './line-order.js';
import { Alerts, Answer, CallTime, coloured, LineButton, showTrip, useAlerts } from './parts.js';
import { StopButton } from './stop-button.js';

const REFRESH_MS = 20_000;
const FIRST_ROWS = 12;
const MOST_ROWS = 40;

/** The stop with this id, or those of several that riders regard as one; or what is wrong. */
export function StopView({ ids }: { ids: readonly string[] }) {
  const { api, calendar } = useShown();
  const { when, date, time } = useMoment();
  const ask = (signal: AbortSignal) => {
    const start = when === 'now' ? Date.now() / 1000 : epochSeconds({ date, time }, calendar.timeZone);
    return askStops(api, ids, Math.floor(start), signal);
  };
  // "Now" is a different time in each request, so the passing of minutes needs no request of its own.
  const chosen = when === 'now' ? when : `${date} ${time}`;
  const live = useLive(ask, [api, calendar, ids.join(), chosen], REFRESH_MS);
  const stops = live.value ?? [];
  const marked = JSON.stringify(stops.map(({ gtfsId, name, lat, lon }) => ({ gtfsId, name, lat, lon })));
  const mark = useMemo(() => chosenStops(JSON.parse(marked)), [marked]);
  useMapData('explore-chosen', useNameSides(mark));
  useLayoutEffect(() => bringIntoSight(stops), [stops.map(({ gtfsId }) => gtfsId).join()]);
  return <Answer live={live}>{(found) => <Details stops={found} />}</Answer>;
}

/** Moves the map only when one of the places is not on it. */
function bringIntoSight(places: readonly Position[]): void {
  const view = mapView.peek();
  const bounds = boundsAround(places.map(({ lon, lat }) => [lon, lat] as const));
  if (!view || !bounds) return;
  const { clientWidth, clientHeight } = view.map.getContainer();
  const { left, right, top, bottom } = view.covered;
  const areSeen = places.every(({ lon, lat }) => {
    const { x, y } = view.map.project([lon, lat]);
    return x > left && x < clientWidth - right && y > top && y < clientHeight - bottom;
  });
  if (!areSeen || view.map.getZoom() < 13) view.fit(bounds, { maxZoom: 16 });
}

/** The stop and everything that is part of it. */
function idsOf({ gtfsId, parentStation, stops }: StopDetails): string[] {
  return [gtfsId, ...(parentStation ? [parentStation.gtfsId] : []), ...(stops ?? []).map((part) => part.gtfsId)];
}

function Details({ stops }: { stops: readonly StopDetails[] }) {
  const alerts = useAlerts(stops.flatMap(idsOf).map((id) => ['stop', id]));
  const [stop] = stops;
  if (!stop) return null;
  const place = { lat: stop.lat, lon: stop.lon, name: stop.name };
  const isOne = stops.length === 1;
  return (
    <article class="thing">
      <header>
        <Title name={stop.name} />
        <h2>{stop.name}</h2>
        {isOne && <Facts stop={stop} />}
      </header>
      <Alerts alerts={alerts.value ?? []} />
      <section>
        <h3>{t('explore.departures')}</h3>
        <MomentChoice />
        <Departures stops={stops} />
      </section>
      <section aria-label={t('explore.lines')}>
        <h3>{t('explore.lines')}</h3>
        <div class="badges">
          {groupedLines(inOrder(linesOf(stops))).map(
            (group) => group[0] && <LineButton key={group[0].gtfsId} line={group[0]} group={group} />,
          )}
        </div>
      </section>
      {!isOne && (
        <section>
          <h3>{t('explore.stops')}</h3>
          <ul class="found" aria-label={t('explore.stops')}>
            {stops.map((one) => (
              <li key={one.gtfsId}>
                <StopButton group={[{ ...one, routes: linesOf([one]) }]} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="row">
        <Button icon="pin" onClick={() => change({ tab: 'plan', from: place })}>
          {t('explore.fromHere')}
        </Button>
        <Button icon="pin" onClick={() => change({ tab: 'plan', to: place })}>
          {t('explore.toHere')}
        </Button>
      </div>
    </article>
  );
}

function Facts({ stop }: { stop: StopDetails }) {
  return (
    <p class="hint">
      {[stop.code, stop.platformCode && t('explore.platform', { name: stop.platformCode }), stop.desc]
        .filter((text) => text && text !== stop.name)
        .join(' · ')}
      {stop.wheelchairBoarding === 'POSSIBLE' && ` ♿ ${t('explore.stepFree')}`}
    </p>
  );
}

function Departures({ stops }: { stops: readonly StopDetails[] }) {
  const { calendar } = useShown();
  const [all, setAll] = useState(false);
  const shown = departuresOf(stops, all ? MOST_ROWS : FIRST_ROWS);
  if (shown.length === 0) return <p class="hint">{t('explore.noDepartures')}</p>;
  const today = localDateTime(departureOf(shown[0]?.call ?? NEVER), calendar.timeZone).date;
  return (
    <>
      <ul class="departures">
        {shown.map((departure) => {
          const at = departureOf(departure.call);
          const otherDay = localDateTime(at, calendar.timeZone).date !== today;
          const day = otherDay ? dayName(at, calendar.timeZone, locale.value) : undefined;
          return <DepartureRow key={`${departure.call.trip.gtfsId} ${at}`} departure={departure} day={day} />;
        })}
      </ul>
      {!all && departuresOf(stops, MOST_ROWS).length > FIRST_ROWS && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {t('explore.later')}
        </Button>
      )}
    </>
  );
}

const NEVER = { serviceDay: 0, scheduledDeparture: 0, realtimeDeparture: -1 } as Departure['call'];

function DepartureRow({ departure, day }: { departure: Departure; day: string | undefined }) {
  const { call, platform, stopCode } = departure;
  const { calendar } = useShown();
  const { trip, headsign } = call;
  return (
    <li>
      <button type="button" onClick={() => showTrip(trip.gtfsId, serviceDate(call, calendar.timeZone))}>
        <RouteBadge {...coloured(trip.route)} name={lineName(trip.route)} />
        <span class="headsign">
          {headsign ?? trip.tripHeadsign ?? trip.route.longName ?? ''}
          {stopCode !== undefined && <small>{stopCode}</small>}
          {platform !== undefined && <small>{t('explore.platform', { name: platform })}</small>}
          {day !== undefined && <small>{day}</small>}
        </span>
        <CallTime call={call} />
      </button>
    </li>
  );
}
