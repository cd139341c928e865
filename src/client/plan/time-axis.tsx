/** The time axis that all cards share. */

import { clockTime } from '../text/format.js';
import { locale } from '../text/texts.js';
import { positionOn, type TimeScale } from './time-scale.js';

/** The labels above the cards. */
export function TimeAxis({ scale }: { scale: TimeScale }) {
  return (
    <div class="time-axis" aria-hidden="true">
      {scale.ticks.map((tick) => {
        const at = positionOn(scale, tick);
        const side = at < 6 ? ' first' : at > 94 ? ' last' : '';
        return (
          <span key={tick} class={`tick${side}`} style={{ left: `${at}%` }}>
            {clockTime(tick, scale.timeZone, locale.value)}
          </span>
        );
      })}
    </div>
  );
}
