/** Instructions in words. */

import type { Step } from '../api/answers.js';
import { type TextKey, t } from '../text/texts.js';
import type { IconName } from '../ui/icon.js';

const TURNS: Readonly<Record<string, readonly [text: TextKey, icon: IconName]>> = {
  DEPART: ['plan.turn.depart', 'straight'],
  HARD_LEFT: ['plan.turn.hardLeft', 'turnLeft'],
  LEFT: ['plan.turn.left', 'turnLeft'],
  SLIGHTLY_LEFT: ['plan.turn.slightlyLeft', 'slightlyLeft'],
  CONTINUE: ['plan.turn.continue', 'straight'],
  SLIGHTLY_RIGHT: ['plan.turn.slightlyRight', 'slightlyRight'],
  RIGHT: ['plan.turn.right', 'turnRight'],
  HARD_RIGHT: ['plan.turn.hardRight', 'turnRight'],
  CIRCLE_CLOCKWISE: ['plan.turn.roundabout', 'roundabout'],
  CIRCLE_COUNTERCLOCKWISE: ['plan.turn.roundabout', 'roundabout'],
  ELEVATOR: ['plan.turn.elevator', 'straight'],
  UTURN_LEFT: ['plan.turn.around', 'turnLeft'],
  UTURN_RIGHT: ['plan.turn.around', 'turnRight'],
};

const COMPASS: Readonly<Record<string, TextKey>> = {
  NORTH: 'plan.compass.north',
  NORTHEAST: 'plan.compass.northeast',
  EAST: 'plan.compass.east',
  SOUTHEAST: 'plan.compass.southeast',
  SOUTH: 'plan.compass.south',
  SOUTHWEST: 'plan.compass.southwest',
  WEST: 'plan.compass.west',
  NORTHWEST: 'plan.compass.northwest',
};

/** `Turn left: Rua Nova`. */
export function instruction(step: Step): string {
  const [turn] = TURNS[step.relativeDirection] ?? ['plan.turn.continue' as const];
  if (step.relativeDirection === 'ELEVATOR') return t(turn);
  const heading = step.relativeDirection === 'DEPART' ? COMPASS[step.absoluteDirection ?? ''] : undefined;
  const parts = [heading === undefined ? t(turn) : t('plan.turn.departTo', { direction: t(heading) })];
  if (step.exit !== undefined) parts.push(t('plan.exit', { exit: step.exit }));
  return t('common.labelled', { label: parts.join(', '), text: step.streetName });
}

export function turnIcon({ relativeDirection }: Step): IconName {
  return TURNS[relativeDirection]?.[1] ?? 'straight';
}

/** A walk between stops has a single step that repeats the names of both. */
export function isTransfer({ streetName }: Step): boolean {
  return streetName.includes(' => ');
}
