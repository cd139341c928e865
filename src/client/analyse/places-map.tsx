/** The places of a point set in the colours of the times to them: a row of the matrix. */

import type { Feature, FeatureCollection } from 'geojson';
import { useMemo } from 'preact/hooks';
import type { PointSet } from '../../serialization/answers/index.js';
import type { AnalysisApi } from '../api/analysis.js';
import { collection, EMPTY_SOURCE } from '../map/features.js';
import type { Overlay } from '../map/overlay.js';
import { useMapData, useOverlay } from '../map/use-map.js';
import { useLive } from '../state/live.js';
import { t } from '../text/texts.js';
import { Outcome } from '../ui/outcome.js';
import { csvUrl } from './csv.js';
import { cssColor, rampColor, UNREACHED } from './palette.js';
import { centreOf } from './place-centre.js';
import { longestMinutes, type ReachQuery, sideParameters } from './reach-query.js';

const PLACES_OVERLAY: Overlay = {
  id: 'places',
  sources: { places: EMPTY_SOURCE },
  layers: (theme) => {
    const edge = theme === 'dark' ? '#14191c' : '#ffffff';
    return [
      {
        id: 'places-areas',
        type: 'fill',
        source: 'places',
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': ['get', 'color'], 'fill-opacity': 0.7, 'fill-outline-color': edge },
      },
      {
        id: 'places-points',
        type: 'circle',
        source: 'places',
        filter: ['==', ['geometry-type'], 'Point'],
        paint: {
          'circle-color': ['get', 'color'],
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 9, 3, 14, 8],
          'circle-stroke-color': edge,
          'circle-stroke-width': 1,
        },
      },
    ];
  },
};

/** Places with the seconds to each. */
interface Row {
  readonly features: PointSet['features'];
  readonly seconds: ReadonlyArray<number | null>;
}

/** The places on the map, and the table to download; the legend is that of the tab. */
export function PlacesMap({ api, query, places }: { api: AnalysisApi; query: ReachQuery; places: string }) {
  const [side] = query.sides;
  const minutes = longestMinutes(query);
  const ask = async (signal: AbortSignal) => side && askRow(api, { side, minutes, places }, signal);
  const { value: row, problem, running, retry } = useLive(ask, [api, JSON.stringify([side, minutes]), places]);
  useOverlay(PLACES_OVERLAY);
  const drawn = useMemo(() => coloured(row, minutes), [row, minutes]);
  useMapData('places', drawn);
  return (
    <Outcome class="outcome" problem={problem} onRetry={retry}>
      {!row && <p class="hint">{running ? t('analyse.searching') : t('analyse.tooManyPlaces')}</p>}
      {row && <Download row={row} places={places} />}
    </Outcome>
  );
}

function Download({ row, places }: { row: Row; places: string }) {
  return (
    <a class="button plain" download={`${places}.csv`} href={csvUrl(table(row))}>
      CSV
    </a>
  );
}

async function askRow(
  api: AnalysisApi,
  { side, minutes, places }: { side: ReachQuery['sides'][number]; minutes: number; places: string },
  signal: AbortSignal,
): Promise<Row | undefined> {
  const { features } = await api.pointSet(places, signal);
  if (!features) return undefined;
  const query = new URLSearchParams([...sideParameters(side), ['maxTimeSec', String(minutes * 60)]]);
  const { lat, lon } = side.origin;
  const seconds = await api.matrixRow(query, [lat, lon], features.map(centreOf), signal);
  return { features, seconds };
}

function coloured(row: Row | undefined, minutes: number): FeatureCollection {
  const features = (row?.features ?? []).map(({ geometry }, position): Feature => {
    const seconds = row?.seconds[position] ?? null;
    const color = seconds === null ? UNREACHED : cssColor(rampColor(seconds / 60 / minutes)).replaceAll(' ', ',');
    return { type: 'Feature', geometry, properties: { color } };
  });
  return collection(features);
}

function table({ features, seconds }: Row): Array<Array<string | number>> {
  const rows = features.map((feature, position) => {
    const [lat, lon] = centreOf(feature);
    return [feature.id ?? position, lat, lon, seconds[position] ?? ''];
  });
  return [['id', 'lat', 'lon', 'seconds'], ...rows];
}
