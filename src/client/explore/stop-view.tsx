/** A stop: its next departures with live times, its lines and its alerts. */

import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { NOTHING } from '../map/features.js';
import { mapView } from '../map/shown-map.js';
import { useMapData } from '../map/use-map.js';
import { useNameSides } from '../map/use-name-sides.js';
import { change } from '../state/address.js';
import { useLive } from '../state/live.js';
import { epochSeconds } from '../state/moment.js';
import { useShown } from '../state/shown.js';
import { dayName, localDateTime } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { MomentChoice, useMoment } from '../ui/moment-field.js';
import { RouteBadge } from '../ui/route-badge.js';
import { type Departure, departureOf, departuresOf, linesOf, serviceDate } from './calls.js';
import { chosenStop } from './explore-map.js';
import type { StopDetails } from './index-answers.js';
import { askStop } from './index-queries.js';
import { Alerts, Answer, CallTime, coloured, LineButton, lineName, showTrip, useAlerts } from './parts.js';

const REFRESH_MS = 20_000;
const FIRST_ROWS = 12;
const MOST_ROWS = 40;

/** The stop with this id, or what is wrong. */
export function StopView({ id }: { id: string }) {
  const { api, calendar } = useShown();
  const { when, date, time } = useMoment();
  const ask = (signal: AbortSignal) => {
    const start = when === 'now' ? Date.now() / 1000 : epochSeconds({ date, time }, calendar.timeZone);
    return askStop(api, id, Math.floor(start), signal);
  };
  // "Now" is a different time in each request, so the passing of minutes needs no request of its own.
  const chosen = when === 'now' ? when : `${date} ${time}`;
  const live = useLive(ask, [api, calendar, id, chosen], REFRESH_MS);
  const stop = live.value;
  const mark = useMemo(() => (stop ? chosenStop(stop) : NOTHING), [stop?.lat, stop?.lon, stop?.name, stop?.gtfsId]);
  useMapData('explore-chosen', useNameSides(mark));
  useLayoutEffect(() => {
    if (stop) bringIntoSight(stop);
  }, [stop?.gtfsId]);
  return <Answer live={live}>{(found) => <Details stop={found} />}</Answer>;
}

/** Moves the map only when the place is not on it. */
function bringIntoSight({ lon, lat }: { lon: number; lat: number }): void {
  const view = mapView.peek();
  if (!view) return;
  const { x, y } = view.map.project([lon, lat]);
  const { clientWidth, clientHeight } = view.map.getContainer();
  const { left, right, top, bottom } = view.covered;
  const seen = x > left && x < clientWidth - right && y > top && y < clientHeight - bottom;
  if (!seen || view.map.getZoom() < 13) view.fit([lon, lat, lon, lat], { maxZoom: 16 });
}

function Details({ stop }: { stop: StopDetails }) {
  const platforms = (stop.stops ?? []).map(({ gtfsId }) => gtfsId);
  const ids = [stop.gtfsId, ...(stop.parentStation ? [stop.parentStation.gtfsId] : []), ...platforms];
  const alerts = useAlerts(ids.map((id) => ['stop', id]));
  const place = { lat: stop.lat, lon: stop.lon, name: stop.name };
  return (
    <article class="thing">
      <header>
        <h2>{stop.name}</h2>
        <p class="hint">
          {[stop.code, stop.platformCode && t('explore.platform', { name: stop.platformCode }), stop.desc]
            .filter((text) => text && text !== stop.name)
            .join(' · ')}
          {stop.wheelchairBoarding === 'POSSIBLE' && ` ♿ ${t('explore.stepFree')}`}
        </p>
      </header>
      <Alerts alerts={alerts.value ?? []} />
      <section>
        <h3>{t('explore.departures')}</h3>
        <MomentChoice />
        <Departures stop={stop} />
      </section>
      <section aria-label={t('explore.lines')}>
        <h3>{t('explore.lines')}</h3>
        <div class="badges">
          {linesOf(stop).map((line) => (
            <LineButton key={line.gtfsId} line={line} />
          ))}
        </div>
      </section>
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

function Departures({ stop }: { stop: StopDetails }) {
  const { calendar } = useShown();
  const [all, setAll] = useState(false);
  const shown = departuresOf(stop, all ? MOST_ROWS : FIRST_ROWS);
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
      {!all && departuresOf(stop, MOST_ROWS).length > FIRST_ROWS && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {t('explore.later')}
        </Button>
      )}
    </>
  );
}

const NEVER = { serviceDay: 0, scheduledDeparture: 0, realtimeDeparture: -1 } as Departure['call'];

function DepartureRow({ departure: { call, platform }, day }: { departure: Departure; day: string | undefined }) {
  const { calendar } = useShown();
  const { trip, headsign } = call;
  return (
    <li>
      <button type="button" onClick={() => showTrip(trip.gtfsId, serviceDate(call, calendar.timeZone))}>
        <RouteBadge {...coloured(trip.route)} name={lineName(trip.route)} />
        <span class="headsign">
          {headsign ?? trip.tripHeadsign ?? trip.route.longName ?? ''}
          {platform !== undefined && <small>{t('explore.platform', { name: platform })}</small>}
          {day !== undefined && <small>{day}</small>}
        </span>
        <CallTime call={call} />
      </button>
    </li>
  );
}
