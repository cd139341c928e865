/** Fonts of names that overlays draw; the first that the browser has is taken, as for the names of the style. */
export const NAME_FONT = ['Noto Sans', 'Open Sans', 'Helvetica', 'Arial', 'sans-serif'];
