/** A trip: its calls on a day with live times, and its path on the map. */

import { change, state } from '../state/address.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { duration, longDate } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { useMoment } from '../ui/moment-field.js';
import { routeColor } from '../ui/route-badge.js';
import { Title } from '../ui/title.js';
import { departureOf, isAboutTrip } from './calls.js';
import type { TripDetails } from './index-answers.js';
import { askTrip } from './index-queries.js';
import { type DrawnLine, useLineOnMap } from './line-on-map.js';
import { lineName } from './line-order.js';
import { Alerts, Answer, CallTime, coloured, LineButton, useAlerts } from './parts.js';

const REFRESH_MS = 20_000;

/** The trip with this id on a day: the day in the address, or else the day chosen for departures. */
export function TripView({ id, date: day }: { id: string; date?: string }) {
  const { api } = useShown();
  const moment = useMoment();
  const date = day ?? state.tripDate.value ?? moment.date;
  const ask = (signal: AbortSignal) => askTrip(api, id, date.replaceAll('-', ''), signal);
  const live = useLive(ask, [api, id, date], REFRESH_MS);
  const trip = live.value;
  useLineOnMap(trip ? lineOf(trip) : undefined);
  return <Answer live={live}>{(found) => <Details trip={found} date={date} />}</Answer>;
}

/** The trip as the map shows it. */
function lineOf({ gtfsId, route, pattern, calls }: TripDetails): DrawnLine {
  const stops = calls.map(({ stop }) => stop);
  return { key: gtfsId, color: routeColor(coloured(route)), geometry: pattern?.geometry, stops };
}

/** The time from the first stop on, for a trip whose calls are those of no run. */
function RideTime({ trip, call }: { trip: TripDetails; call: TripDetails['calls'][number] }) {
  const start = trip.calls[0]?.scheduledDeparture ?? 0;
  return <span class="call-time">{duration(call.scheduledDeparture - start, locale.value)}</span>;
}

function Details({ trip, date }: { trip: TripDetails; date: string }) {
  const alerts = useAlerts([
    ['trip', trip.gtfsId],
    ['route', trip.route.gtfsId],
  ]);
  const destination = trip.tripHeadsign ?? trip.calls.at(-1)?.stop.name ?? '';
  const isRepeated = trip.semanticHash === null;
  const now = Date.now();
  const next = isRepeated ? -1 : trip.calls.findIndex((call) => departureOf(call) >= now);
  // Before the first stop the trip is not under way yet.
  const nextCall = next > 0 ? trip.calls[next] : undefined;
  return (
    <article class="thing">
      <header>
        <div class="title">
          <LineButton line={trip.route} />
          <Title name={`${lineName(trip.route)} ${destination}`} />
          <h2>{destination}</h2>
        </div>
        <p class="hint">
          {[longDate(date, locale.value), trip.tripShortName].filter(Boolean).join(' · ')}
          {trip.wheelchairAccessible === 'POSSIBLE' && ` ♿ ${t('explore.stepFree')}`}
          {trip.bikesAllowed === 'ALLOWED' && ` · ${t('explore.bikes')}`}
        </p>
      </header>
      <Alerts alerts={(alerts.value ?? []).filter((alert) => isAboutTrip(alert, trip, date))} />
      {isRepeated && <p class="hint">{t('explore.repeated')}</p>}
      {nextCall && (
        <p class="next-stop">
          <span>{t('explore.nextStop', { name: nextCall.stop.name })}</span> <CallTime call={nextCall} />
        </p>
      )}
      <ol class="calls" style={{ '--line-color': routeColor(coloured(trip.route)) }}>
        {trip.calls.map((call, position) => (
          <li key={position} class={next > 0 && position < next ? 'past' : undefined}>
            <button
              type="button"
              onClick={() => change({ thing: { kind: 'stop', id: call.stop.gtfsId }, tripDate: undefined })}
            >
              <span>{call.stop.name}</span>
              {isRepeated ? <RideTime trip={trip} call={call} /> : <CallTime call={call} />}
            </button>
          </li>
        ))}
      </ol>
    </article>
  );
}
