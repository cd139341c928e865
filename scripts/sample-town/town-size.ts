/** The number of quarters (about 800 m wide) along each side of a town. */
export const TOWN_SIZES = { village: 4, town: 8, city: 24, metropolis: 84 } as const;

export type TownSize = keyof typeof TOWN_SIZES;

export function isTownSize(name: string): name is TownSize {
  return Object.hasOwn(TOWN_SIZES, name);
}
