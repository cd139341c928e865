/** How much of a point set is reached within each minute, as a plot. */

import { useState } from 'preact/hooks';
import type { Indicator } from '../../serialization/answers/index.js';
import type { AnalysisApi } from '../api/analysis.js';
import { change, state } from '../state/address.js';
import { useLive } from '../state/live.js';
import { locale, t } from '../text/texts.js';
import { Select } from '../ui/controls.js';
import { Outcome } from '../ui/outcome.js';
import { csvUrl } from './csv.js';
import { longestMinutes, type ReachQuery, surfaceParameters } from './reach-query.js';

const WIDTH = 380;
const HEIGHT = 170;
const LEFT = 48;
const RIGHT = 6;
const BOTTOM = 22;
const TOP = 8;

/** The sums up to each minute, one line for each side. */
export function OpportunityPlot({ api, query, places }: { api: AnalysisApi; query: ReachQuery; places: string }) {
  const ask = (signal: AbortSignal) =>
    Promise.all(
      query.sides.map(async (side) => {
        const id = await api.surface(surfaceParameters(side, query), signal);
        return api.indicator(id, places, signal);
      }),
    );
  const { value: found, problem, retry } = useLive(ask, [api, JSON.stringify(query), places]);
  return (
    <Outcome class="outcome" problem={problem} onRetry={retry}>
      {!found && <p class="hint">{t('analyse.searching')}</p>}
      {found && <Sums found={found} query={query} places={places} />}
    </Outcome>
  );
}

/** The plot, the property that is counted, and the table to download. */
function Sums({ found, query, places }: { found: readonly Indicator[]; query: ReachQuery; places: string }) {
  const properties = Object.keys(found[0]?.data ?? {});
  const property = properties.includes(state.property.value) ? state.property.value : '';
  const minutes = longestMinutes(query);
  const lines = found.map((indicator) => cumulative(indicator, property, minutes));
  return (
    <>
      {properties.length > 0 && (
        <Select
          label={t('analyse.property')}
          value={property}
          options={[['', t('analyse.countPlaces')], ...properties.map((name): [string, string] => [name, name])]}
          onChange={(chosen) => change({ property: chosen })}
        />
      )}
      <Plot lines={lines} />
      <a class="button plain" download={`${places}.csv`} href={csvUrl(table(lines))}>
        CSV
      </a>
    </>
  );
}

/** The amounts reached up to each minute, from the first to the last; without a property, the numbers of places. */
function cumulative({ data }: Indicator, property: string, minutes: number): number[] {
  const chosen = data[property] ?? Object.values(data)[0];
  const byMinute = property === '' ? chosen?.counts : chosen?.sums;
  let sum = 0;
  return Array.from({ length: minutes }, (_, minute) => {
    sum += byMinute?.[minute] ?? 0;
    return sum;
  });
}

function table(lines: readonly number[][]): Array<Array<string | number>> {
  const names = lines.map((_, side) => `reached_${'ab'[side]}`);
  const rows = (lines[0] ?? []).map((_, minute) => [minute + 1, ...lines.map((line) => line[minute] ?? 0)]);
  return [['minutes', ...names], ...rows];
}

/** Where minutes and amounts are on the plot. */
interface Scale {
  readonly minutes: number;
  readonly most: number;
  readonly x: (minute: number) => number;
  readonly y: (amount: number) => number;
}

function scaleOf(lines: readonly number[][]): Scale {
  const minutes = lines[0]?.length ?? 1;
  const most = Math.max(1, ...lines.flat());
  return {
    minutes,
    most,
    x: (minute) => LEFT + ((WIDTH - LEFT - RIGHT) * minute) / minutes,
    y: (amount) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * amount) / most,
  };
}

/** The plot; the pointer over it shows the value of a minute. */
function Plot({ lines }: { lines: readonly number[][] }) {
  const [pointed, setPointed] = useState<number>();
  const scale = scaleOf(lines);
  const { minutes, x, y } = scale;
  const at = pointed ?? minutes;
  return (
    <figure class="plot">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('analyse.plotSays', { minutes, count: lines.map((line) => amount(line.at(-1))).join(' / ') })}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
          setPointed(Math.max(1, Math.min(minutes, Math.round(share * minutes))));
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        <Axes {...scale} />
        {lines.map((line, side) => (
          <polyline
            key={side}
            class={`line side-${side}`}
            points={[0, ...line].map((value, minute) => `${x(minute)},${y(value)}`).join(' ')}
          />
        ))}
        <line class="pointed" x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
      </svg>
      <figcaption>
        {lines.map((line, side) => (
          <span key={side}>
            <i class={`side-${side}`} />
            {t('analyse.reachedIn', { minutes: at, count: amount(line[at - 1]) })}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Amounts with lines across the plot, and minutes below it. */
function Axes({ minutes, most, x, y }: Scale) {
  const short = new Intl.NumberFormat(locale.value, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <>
      {[0, most / 2, most].map((tick) => (
        <g key={tick}>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {short.format(tick)}
          </text>
        </g>
      ))}
      {[0, Math.round(minutes / 2), minutes].map((minute) => (
        <text key={minute} x={x(minute)} y={HEIGHT - 6} text-anchor={minute === minutes ? 'end' : 'middle'}>
          {minute}
        </text>
      ))}
    </>
  );
}

function amount(value = 0): string {
  return new Intl.NumberFormat(locale.value).format(value);
}
