/** Priorities by bicycle: speed, safety and flatness, as a point in a triangle or as three numbers. */

import { useId, useRef, useState } from 'preact/hooks';
import { change, state } from '../state/address.js';
import type { BikeWeights } from '../state/codec.js';
import { percentage } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from '../ui/controls.js';

/** Shown while the server's own weights apply. */
const EVEN: BikeWeights = { safety: 33, flatness: 33 };
const WIDTH = 132;
const HEIGHT = 114;
/** Corners: fast at the top, safe on the left, flat on the right. */
const FAST = { x: WIDTH / 2, y: 8 };
const SAFE = { x: 8, y: HEIGHT - 8 };
const FLAT = { x: WIDTH - 8, y: HEIGHT - 8 };

/** The triangle, and a field for each weight for users without a pointer. */
export function BikeTriangle() {
  const [dragged, setDragged] = useState<BikeWeights>();
  const weights = dragged ?? state.bike.value ?? EVEN;
  const set = (bike: BikeWeights) => change({ bike });
  return (
    <fieldset class="triangle">
      <legend>{t('plan.bikeWeights')}</legend>
      <Triangle
        weights={weights}
        onDrag={setDragged}
        onDrop={(dropped) => {
          setDragged(undefined);
          if (dropped) set(dropped);
        }}
      />
      <div class="weights">
        <Weight label={t('plan.fast')} value={100 - weights.safety - weights.flatness} />
        <Weight
          label={t('plan.safe')}
          value={weights.safety}
          onChange={(safety) => set({ safety, flatness: Math.min(weights.flatness, 100 - safety) })}
        />
        <Weight
          label={t('plan.flat')}
          value={weights.flatness}
          onChange={(flatness) => set({ flatness, safety: Math.min(weights.safety, 100 - flatness) })}
        />
        {state.bike.value && (
          <Button kind="quiet" onClick={() => change({ bike: undefined })}>
            {t('plan.usual')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface TriangleProps {
  weights: BikeWeights;
  onDrag: (weights: BikeWeights) => void;
  /** Called without weights when the browser has taken the pointer away. */
  onDrop: (weights: BikeWeights | undefined) => void;
}

function Triangle({ weights, onDrag, onDrop }: TriangleProps) {
  const held = useRef(false);
  const fast = 100 - weights.safety - weights.flatness;
  const x = (fast * FAST.x + weights.safety * SAFE.x + weights.flatness * FLAT.x) / 100;
  const y = (fast * FAST.y + weights.safety * SAFE.y + weights.flatness * FLAT.y) / 100;
  const at = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    return weightsAt(event.clientX - box.left, event.clientY - box.top);
  };
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      onPointerDown={(event) => {
        held.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        onDrag(at(event));
      }}
      onPointerMove={(event) => held.current && onDrag(at(event))}
      onPointerUp={(event) => {
        held.current = false;
        onDrop(at(event));
      }}
      onPointerCancel={() => {
        held.current = false;
        onDrop(undefined);
      }}
    >
      <path d={`M${FAST.x} ${FAST.y}L${SAFE.x} ${SAFE.y}L${FLAT.x} ${FLAT.y}Z`} />
      <circle cx={x} cy={y} r="9" />
    </svg>
  );
}

/** The weights at a point. Outside the triangle they are about those of the nearest point of its sides. */
function weightsAt(x: number, y: number): BikeWeights {
  const clamp = (value: number) => Math.max(0, Math.min(1, value));
  const down = clamp((y - FAST.y) / (SAFE.y - FAST.y));
  const left = FAST.x + (SAFE.x - FAST.x) * down;
  const right = FAST.x + (FLAT.x - FAST.x) * down;
  const flat = down === 0 ? 0 : down * clamp((x - left) / Math.max(1, right - left));
  const [safety, flatness] = [Math.round((down - flat) * 100), Math.round(flat * 100)];
  return { safety: Math.min(safety, 100 - flatness), flatness };
}

/** A weight in percent; speed has the remainder. */
function Weight({ label, value, onChange }: { label: string; value: number; onChange?: (value: number) => void }) {
  const id = useId();
  return (
    <div class="weight">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min="0"
        max="100"
        step="5"
        value={value}
        disabled={onChange === undefined}
        onChange={({ currentTarget }) => onChange?.(Number(currentTarget.value))}
      />
      <output for={id}>{percentage(value, locale.value)}</output>
    </div>
  );
}
