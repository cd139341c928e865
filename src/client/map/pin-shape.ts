/** The look of pins on the map and on its printed picture. */

/** A disc on a tip, which is at (0, 0), and the hole in the disc. */
export const PIN = 'M0 0-11.2-16.4a13 13 0 1 1 22.4 0Z';
export const HOLE = 'M0-28a5 5 0 1 0 0 10 5 5 0 1 0 0-10Z';
/** The colour of the hole and of the rim around the pin, and how wide the rim is, pixels. */
export const RIM = '#ffffff';
export const RIM_WIDTH = 2;
