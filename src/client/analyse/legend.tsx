/** The meaning of the colours on the map; legend and map take them from the same functions. */

import { state } from '../state/address.js';
import { duration } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import {
  bandColors,
  type Color,
  cssColor,
  DIFFERENCE_EDGES,
  differenceColor,
  ONLY_FIRST,
  ONLY_SECOND,
  rampColor,
  SMALLEST_DIFFERENCE,
  UNREACHED,
} from './palette.js';
import type { Reached } from './reach.js';
import { arePlacesColoured, longestMinutes } from './reach-query.js';
import { TimeRamp } from './time-ramp.js';

/** The legend of the layers on the map. */
export function Legend({ reached }: { reached: Reached }) {
  if (arePlacesColoured()) return <TimesToPlaces minutes={longestMinutes(reached.query)} />;
  const isDifference = reached.times.length > 1 && state.compareAs.value === 'difference';
  if (isDifference) return <Differences />;
  const { query } = reached;
  if (state.drawing.value === 'surface') return <TimeRamp minutes={longestMinutes(query)} />;
  const colors = bandColors(query.cutoffs.length);
  return (
    <ul class="keys" aria-label={t('analyse.legend')}>
      {query.cutoffs.map((minutes, position) => (
        <li key={minutes}>
          <i style={{ background: cssColor(colors[position] ?? rampColor(0)) }} />
          {t('analyse.within', { time: duration(minutes * 60, locale.value) })}
        </li>
      ))}
    </ul>
  );
}

function TimesToPlaces({ minutes }: { minutes: number }) {
  return (
    <div class="of-places">
      <TimeRamp minutes={minutes} />
      <p class="keys">
        <span>
          <i style={{ background: UNREACHED }} />
          {t('analyse.notReached')}
        </span>
      </p>
    </div>
  );
}

/** The colours of places that B reaches faster, and beside them those that it reaches slower; large differences first. */
function Differences() {
  const edges = [...DIFFERENCE_EDGES];
  const keys = [-25, ...edges].flatMap((edge, position) => {
    const color = differenceColor(position === 0 ? edge : edge + 0.01);
    return color ? [{ color, text: rangeText(edges[position - 1], edges[position]) }] : [];
  });
  const half = keys.length / 2;
  const [faster, slower] = [keys.slice(0, half), keys.slice(half).reverse()];
  return (
    <ul class="keys two-sided" aria-label={t('analyse.legend')}>
      {faster.map((key) => (
        <Key key={key.text} {...key} />
      ))}
      <Key color={ONLY_SECOND} text={t('analyse.onlySecond')} />
      {slower.map((key) => (
        <Key key={key.text} {...key} />
      ))}
      <Key color={ONLY_FIRST} text={t('analyse.onlyFirst')} />
      <li class="alike">{t('analyse.alike', { minutes: SMALLEST_DIFFERENCE })}</li>
    </ul>
  );
}

function Key({ color, text }: { color: Color; text: string }) {
  return (
    <li>
      <i style={{ background: cssColor(color) }} />
      {text}
    </li>
  );
}

/** A range of differences in minutes; the outermost ones are open at one end. */
function rangeText(low: number | undefined, high: number | undefined): string {
  if ((high ?? low ?? 0) <= 0) {
    return low === undefined
      ? t('analyse.fasterBeyond', { minutes: -(high ?? 0) })
      : t('analyse.faster', { low: -(high ?? 0), high: -low });
  }
  return high === undefined
    ? t('analyse.slowerBeyond', { minutes: low ?? 0 })
    : t('analyse.slower', { low: low ?? 0, high });
}
