import { writeFileSync } from 'node:fs';
import { Random } from '../../src/bench/random.js';
import type { Terrain } from './terrain.js';
import type { QuarterKind, TownPlan } from './town-plan.js';

/** Points along each side of a quarter. */
const SIDE = 4;

/** The most people and jobs at a point, by the kind of its quarter. */
const DENSITY: Record<QuarterKind, { population: number; retail: number; office: number }> = {
  oldTown: { population: 150, retail: 120, office: 260 },
  blocks: { population: 420, retail: 60, office: 140 },
  estate: { population: 520, retail: 15, office: 10 },
  suburb: { population: 130, retail: 6, office: 8 },
  park: { population: 0, retail: 2, office: 1 },
  industry: { population: 10, retail: 10, office: 90 },
  countryside: { population: 12, retail: 0, office: 0 },
};

/** Writes people, jobs and schools as a point set for indicators. */
export function writePointSet(path: string, plan: TownPlan, terrain: Terrain): void {
  const lines = ['lat,lon,population,jobs:retail,jobs:office,schools'];
  for (const { column, row } of plan.quarterCorners()) lines.push(...quarterPoints(plan, terrain, column, row));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

function quarterPoints(plan: TownPlan, terrain: Terrain, column: number, row: number): string[] {
  const random = new Random(plan.seed, 'points', column, row);
  const { population, retail, office } = DENSITY[plan.quarterKind(column, row)];
  const origin = plan.corner(column, row);
  return Array.from({ length: SIDE * SIDE }, (_, i) => {
    const point = { x: origin.x + 100 + 200 * (i % SIDE), y: origin.y + 100 + 200 * Math.floor(i / SIDE) };
    const { lat, lon } = terrain.locate(point);
    const schools = population > 100 && random.chance(0.08) ? 1 : 0;
    const counts = [population, retail, office].map((most) => Math.floor(most * random.next()));
    return [lat.toFixed(6), lon.toFixed(6), ...counts, schools].join(',');
  });
}
