/** Routes in their colours, and modes of travel as icons. */

import { t } from '../text/texts.js';
import { Icon, type IconName } from './icon.js';

/** Colours of modes without a colour of their own; they stand out from the background in both themes. */
const MODE_COLORS: Readonly<Record<string, string>> = {
  WALK: '#5d6b78',
  BICYCLE: '#1f8a4c',
  CAR: '#7a4fb3',
  BUS: '#1766b8',
  TRAM: '#b3261e',
  SUBWAY: '#6a3bab',
  RAIL: '#8a6100',
  FERRY: '#0d7282',
  CABLE_CAR: '#9c4221',
  GONDOLA: '#9c4221',
  FUNICULAR: '#9c4221',
  AIRPLANE: '#44546a',
};

const MODE_ICONS: Readonly<Record<string, IconName>> = {
  WALK: 'walk',
  BICYCLE: 'bicycle',
  CAR: 'car',
  BUS: 'bus',
  TRAM: 'tram',
  SUBWAY: 'rail',
  RAIL: 'rail',
  FERRY: 'ferry',
  CABLE_CAR: 'tram',
  GONDOLA: 'gondola',
  FUNICULAR: 'gondola',
  AIRPLANE: 'plane',
};

/** Modes that have a name in the texts. */
const NAMED_MODES = [
  'WALK',
  'BICYCLE',
  'CAR',
  'BUS',
  'TRAM',
  'SUBWAY',
  'RAIL',
  'FERRY',
  'CABLE_CAR',
  'GONDOLA',
  'FUNICULAR',
  'AIRPLANE',
] as const;

/** The facts that a route's colours depend on. */
export interface Coloured {
  readonly mode: string;
  /** Six hexadecimal digits. */
  readonly routeColor?: string;
  readonly routeTextColor?: string;
}

/** The feed's colour, or else that of the mode. */
export function routeColor({ mode, routeColor: color }: Coloured): string {
  return isColor(color) ? `#${color}` : (MODE_COLORS[mode] ?? '#1766b8');
}

/** The feed's text colour, if it can be read on the route's colour; otherwise black or white. */
export function routeTextColor(coloured: Coloured): string {
  const ground = routeColor(coloured);
  const own = isColor(coloured.routeTextColor) ? `#${coloured.routeTextColor}` : undefined;
  if (own !== undefined && isColor(coloured.routeColor) && contrast(own, ground) >= 4.5) return own;
  return contrast('#ffffff', ground) >= contrast('#000000', ground) ? '#ffffff' : '#000000';
}

/** A mode in words. */
export function modeName(mode: string): string {
  const known = NAMED_MODES.find((name) => name === mode);
  return known === undefined ? mode.toLowerCase().replaceAll('_', ' ') : t(`common.mode.${known}`);
}

export function modeIcon(mode: string): IconName {
  return MODE_ICONS[mode] ?? 'bus';
}

/** The name of a route on its colour, with the icon of its mode. */
export function RouteBadge({ name, ...coloured }: Coloured & { name: string }) {
  return (
    <span class="route-badge" style={{ background: routeColor(coloured), color: routeTextColor(coloured) }}>
      <Icon name={modeIcon(coloured.mode)} title={modeName(coloured.mode)} size={16} />
      {name !== '' && <span>{name}</span>}
    </span>
  );
}

function isColor(text: string | undefined): text is string {
  return /^[0-9a-f]{6}$/i.test(text ?? '');
}

/** The contrast as the accessibility guidelines define it: 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
