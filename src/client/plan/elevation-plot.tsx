/** Elevations along a path. */

import type { Leg } from '../api/answers.js';
import { alongLine } from '../map/along-line.js';
import { decodePolyline } from '../map/polyline.js';
import { units } from '../state/preferences.js';
import { distance, height } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import type { HeightProfile } from './itinerary.js';
import { point } from './pointed.js';

const WIDTH = 300;
const HEIGHT = 64;
/** Least range of the plot, metres, so that a path on nearly level ground looks level. */
const LEAST_RANGE = 20;

/** The plot; while the pointer is on it, the map shows the place that it points at. */
export function ElevationPlot({ profile, leg }: { profile: HeightProfile; leg: Leg }) {
  const conventions = { locale: locale.value, units: units.value };
  const heights = profile.points.map(([, metres]) => metres);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const middle = (low + high) / 2;
  const range = Math.max(high - low, LEAST_RANGE);
  const x = (along: number) => (along / profile.length) * WIDTH;
  const y = (metres: number) => HEIGHT / 2 - ((metres - middle) / range) * (HEIGHT - 12);
  const line = profile.points.map(([along, metres]) => `${x(along).toFixed(1)} ${y(metres).toFixed(1)}`).join('L');
  const first = x(profile.points[0]?.[0] ?? 0).toFixed(1);
  const last = x(profile.points.at(-1)?.[0] ?? 0).toFixed(1);
  const title = t('plan.heights', { low: height(low, conventions), high: height(high, conventions) });
  const show = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    point(alongLine(decodePolyline(leg.legGeometry.points), (event.clientX - box.left) / box.width));
  };
  return (
    <figure class="elevation">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={title}
        onPointerMove={show}
        onPointerLeave={() => point(undefined)}
      >
        <path class="below" d={`M${first} ${HEIGHT}L${line}L${last} ${HEIGHT}Z`} />
        <path class="surface" d={`M${line}`} />
      </svg>
      <figcaption>
        <span>{title}</span>
        <span>{distance(profile.length, conventions)}</span>
      </figcaption>
    </figure>
  );
}
