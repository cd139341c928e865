/** A leg along streets, turn by turn. */

import type { Leg, Step } from '../api/answers.js';
import { units } from '../state/preferences.js';
import { distance, shownDuration } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Icon } from '../ui/icon.js';
import { modeIcon, modeName } from '../ui/route-badge.js';
import { Alerts } from './alerts.js';
import { ElevationPlot } from './elevation-plot.js';
import { heightsOf } from './itinerary.js';
import { point } from './pointed.js';
import { instruction, isTransfer, turnIcon } from './step-text.js';

/** Mode, length, steps and elevations. */
export function StreetLeg({ leg }: { leg: Leg }) {
  const conventions = { locale: locale.value, units: units.value };
  const steps = leg.steps.filter((step) => !isTransfer(step));
  const title = [distance(leg.distance, conventions), shownDuration(leg, locale.value)].join(' · ');
  const heights = heightsOf(leg);
  const name = leg.rentedBike && leg.mode === 'BICYCLE' ? t('plan.rentedBike') : modeName(leg.mode);
  return (
    <div class="leg-body">
      <p class="line">
        <Icon name={modeIcon(leg.mode)} />
        <span>
          {name} <span class="soft">{title}</span>
        </span>
      </p>
      {steps.length > 0 && (
        <details>
          <summary>{t('plan.steps', { count: steps.length })}</summary>
          <ol class="steps">
            {steps.map((step) => (
              <StepItem key={`${step.lat} ${step.lon} ${step.streetName}`} step={step} />
            ))}
          </ol>
        </details>
      )}
      {heights && <ElevationPlot profile={heights} leg={leg} />}
      <Alerts alerts={leg.alerts ?? []} />
    </div>
  );
}

/** A step; while the pointer or the focus is on it, the map shows where it is. */
function StepItem({ step }: { step: Step }) {
  const conventions = { locale: locale.value, units: units.value };
  const show = () => point(step);
  const hide = () => point(undefined);
  return (
    <li>
      <button
        type="button"
        class="step"
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
        onClick={show}
      >
        <Icon name={turnIcon(step)} size={18} />
        <span>{instruction(step)}</span>
        <span class="soft">{distance(step.distance, conventions)}</span>
      </button>
    </li>
  );
}
