/** Routes in their colours, and modes of travel as icons. */

import { t } from '../text/texts.js';
import { Icon, type IconName } from './icon.js';

interface ModeSign {
  readonly icon: IconName;
  /** For routes without a colour of their own; it stands out from the background in both themes. */
  readonly color: string;
}

/** The modes that have a name in the texts. */
const MODES = {
  WALK: { icon: 'walk', color: '#5d6b78' },
  BICYCLE: { icon: 'bicycle', color: '#1f8a4c' },
  CAR: { icon: 'car', color: '#7a4fb3' },
  BUS: { icon: 'bus', color: '#1766b8' },
  TRAM: { icon: 'tram', color: '#b3261e' },
  SUBWAY: { icon: 'rail', color: '#6a3bab' },
  RAIL: { icon: 'rail', color: '#8a6100' },
  FERRY: { icon: 'ferry', color: '#0d7282' },
  CABLE_CAR: { icon: 'tram', color: '#9c4221' },
  GONDOLA: { icon: 'gondola', color: '#9c4221' },
  FUNICULAR: { icon: 'gondola', color: '#9c4221' },
  AIRPLANE: { icon: 'plane', color: '#44546a' },
} as const satisfies Readonly<Record<string, ModeSign>>;

/** Other modes look like buses. */
function signOf(mode: string): ModeSign {
  return isKnown(mode) ? MODES[mode] : MODES.BUS;
}

function isKnown(mode: string): mode is keyof typeof MODES {
  return Object.hasOwn(MODES, mode);
}

/** The facts that a route's colours depend on. */
interface Coloured {
  readonly mode: string;
  /** Six hexadecimal digits. */
  readonly routeColor?: string;
  readonly routeTextColor?: string;
}

/** The feed's colour, or else that of the mode. */
export function routeColor({ mode, routeColor: color }: Coloured): string {
  return isColor(color) ? `#${color}` : signOf(mode).color;
}

/** The feed's text colour, if it can be read on the route's colour; otherwise black or white. */
export function routeTextColor(coloured: Coloured): string {
  const ground = routeColor(coloured);
  const own = isColor(coloured.routeTextColor) ? `#${coloured.routeTextColor}` : undefined;
  if (own !== undefined && isColor(coloured.routeColor) && contrast(own, ground) >= 4.5) return own;
  return contrast('#ffffff', ground) >= contrast('#000000', ground) ? '#ffffff' : '#000000';
}

export function modeName(mode: string): string {
  return isKnown(mode) ? t(`common.mode.${mode}`) : mode.toLowerCase().replaceAll('_', ' ');
}

export function modeIcon(mode: string): IconName {
  return signOf(mode).icon;
}

/** The name of a route on its colour, with the icon of its mode. */
export function RouteBadge({ name, ...coloured }: Coloured & { name: string }) {
  return (
    <span class="route-badge" style={{ background: routeColor(coloured), color: routeTextColor(coloured) }}>
      <Icon name={modeIcon(coloured.mode)} title={modeName(coloured.mode)} size={16} />
      {name !== '' && <span class="badge-name">{name}</span>}
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
