/** A line: its patterns with their stops, its vehicles, its timetable and its alerts. */

import { useMemo, useState } from 'preact/hooks';
import type { Vehicle } from '../../serialization/answers/index.js';
import { useMapData } from '../map/use-map.js';
import { change, state } from '../state/address.js';
import { useLive } from '../state/live.js';
import { useShown } from '../state/shown.js';
import { isolated } from '../text/isolated.js';
import { t } from '../text/texts.js';
import { Segments, Select } from '../ui/controls.js';
import { RouteBadge, routeColor } from '../ui/route-badge.js';
import { Title } from '../ui/title.js';
import { coloredPoints } from './explore-features.js';
import type { LineDetails, LinePattern } from './index-answers.js';
import { askLine } from './index-queries.js';
import { useLineOnMap } from './line-on-map.js';
import { lineName } from './line-order.js';
import { Alerts, Answer, addedName, coloured, useAlerts } from './parts.js';
import { Timetable } from './timetable.js';

const VEHICLES_EVERY_MS = 15_000;

/** The line with this id, or what is wrong. */
export function LineView({ id }: { id: string }) {
  const { api } = useShown();
  const live = useLive((signal) => askLine(api, id, signal), [api, id]);
  return <Answer live={live}>{(found) => <Details line={found} />}</Answer>;
}

function Details({ line }: { line: LineDetails }) {
  const alerts = useAlerts([['route', line.gtfsId]]);
  const [shown, setShown] = useState<'stops' | 'timetable'>('stops');
  const patterns = useMemo(() => line.patterns.toSorted((one, other) => other.trips.length - one.trips.length), [line]);
  const pattern = patterns.find(({ code }) => code === state.pattern.value) ?? patterns[0];
  const vehicles = useVehicles(line);
  useDrawing(line, pattern, vehicles);
  const name = lineName(line);
  const course = addedName(line) ?? (pattern ? endsText(pattern) : name);
  return (
    <article class="thing">
      <header>
        <div class="title">
          <RouteBadge {...coloured(line)} name={name} />
          <Title name={`${name} ${course}`} />
          <h2>{course}</h2>
        </div>
        <p class="hint">{[line.agency?.name ?? '', line.desc ?? ''].filter(Boolean).map(isolated).join(' · ')}</p>
      </header>
      <Alerts alerts={alerts.value ?? []} />
      {vehicles.length > 0 && <p class="live-line">{t('explore.vehicles', { count: vehicles.length })}</p>}
      {pattern === undefined ? (
        <p class="hint">{t('explore.noPatterns')}</p>
      ) : (
        <>
          <Select
            label={t('explore.direction')}
            value={pattern.code}
            options={patterns.map((one) => [one.code, patternText(one)])}
            onChange={(code) => change({ pattern: code })}
          />
          <Segments
            label={t('explore.show')}
            value={shown}
            options={[
              ['stops', t('explore.stops')],
              ['timetable', t('explore.timetable')],
            ]}
            onChange={setShown}
          />
          {shown === 'stops' ? <Stops line={line} pattern={pattern} /> : <Timetable pattern={pattern} />}
        </>
      )}
    </article>
  );
}

/** The destination of a pattern, its first and last stop, and its number of trips. */
function patternText({ headsign, stops, trips }: LinePattern): string {
  return `${isolated(headsign ?? '')} · ${endsText({ stops })} · ${t('explore.trips', { count: trips.length })}`.replace(
    /^ · /,
    '',
  );
}

function endsText({ stops }: Pick<LinePattern, 'stops'>): string {
  return `${isolated(stops[0]?.name ?? '')} – ${isolated(stops.at(-1)?.name ?? '')}`;
}

function Stops({ line, pattern }: { line: LineDetails; pattern: LinePattern }) {
  return (
    <ol class="calls" style={{ '--line-color': routeColor(coloured(line)) }}>
      {pattern.stops.map((stop, position) => (
        <li key={position}>
          <button type="button" onClick={() => change({ thing: { kind: 'stop', id: stop.gtfsId }, pattern: '' })}>
            <span>{stop.name}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The line's vehicles: those that name it or one of its trips. Feeds name both without the id of the feed. */
function useVehicles({ gtfsId, patterns }: LineDetails): Vehicle[] {
  const { api } = useShown();
  const live = useLive((signal) => api.vehicles(signal), [api], VEHICLES_EVERY_MS);
  const [feed, own] = [gtfsId.slice(0, gtfsId.indexOf(':')), gtfsId.slice(gtfsId.indexOf(':') + 1)];
  const trips = useMemo(() => new Set(patterns.flatMap((one) => one.trips.map((trip) => trip.gtfsId))), [patterns]);
  const isOwn = ({ feedId = feed, routeId, tripId }: Vehicle) =>
    feedId === feed && (routeId === own || trips.has(`${feed}:${tripId}`));
  // Where they were before may be far from where they are.
  const known = live.problem ? undefined : live.value;
  return useMemo(() => known?.filter(isOwn) ?? [], [known, own]);
}

function useDrawing(line: LineDetails, pattern: LinePattern | undefined, vehicles: Vehicle[]): void {
  const color = routeColor(coloured(line));
  useLineOnMap(pattern && { key: pattern.code, color, geometry: pattern.geometry, stops: pattern.stops });
  const positions = useMemo(() => coloredPoints(vehicles, color), [vehicles, color]);
  useMapData('explore-vehicles', positions);
}
