/** How large a town is asked for. */

/** Sizes with a name; the number is the count of quarters (about 800 m wide) along each side of the town. */
export const TOWN_SIZES = { village: 4, town: 8, city: 24, metropolis: 84 } as const;

/** A named size, or the approximate number of street vertices wanted. */
export type TownSize = keyof typeof TOWN_SIZES | number;
