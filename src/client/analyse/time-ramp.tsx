/** The legend of colours that change gradually with the time. */

import { duration } from '../text/format.js';
import { locale } from '../text/texts.js';
import { cssColor, rampColor } from './palette.js';

const STEPS = 8;

/** The colours from no time to a number of minutes. */
export function TimeRamp({ minutes }: { minutes: number }) {
  const stops = Array.from({ length: STEPS + 1 }, (_, step) => cssColor(rampColor(step / STEPS)));
  return (
    <div class="ramp">
      <i style={{ background: `linear-gradient(90deg, ${stops.join(', ')})` }} />
      <span>0</span>
      <span>{duration(minutes * 60, locale.value)}</span>
    </div>
  );
}
