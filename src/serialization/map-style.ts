/**
 * A style for MapLibre over the vector tiles, light or dark. It names no glyphs: browsers draw the texts with their own
 * fonts, so that a map needs nothing but the server.
 */

type Expression = readonly unknown[];

interface StyleLayer {
  readonly id: string;
  readonly type: 'background' | 'fill' | 'line' | 'circle' | 'symbol';
  readonly [member: string]: unknown;
}

export const MAP_THEMES = ['light', 'dark'] as const;
type MapTheme = (typeof MAP_THEMES)[number];

/** Layers of the tiles that the style draws from its first source, and from the one that is refreshed. */
export const STYLED_LAYERS = 'land,water,waterways,streets,railways,places,patterns,stops';
const STYLED_LIVE_LAYERS = 'rentals,vehicles';

/** Fonts of the texts, the first that a browser has. */
const FONTS = ['Noto Sans', 'Open Sans', 'Helvetica', 'Arial', 'sans-serif'];

interface Palette {
  readonly ground: string;
  readonly land: Readonly<Record<string, string>>;
  readonly water: string;
  /** Colours of streets by class. `far` is for minor streets where they are too thin for a casing. */
  readonly streets: Readonly<Record<'casing' | 'motorway' | 'main' | 'minor' | 'far' | 'path', string>>;
  readonly railway: string;
  readonly text: string;
  readonly halo: string;
  readonly waterText: string;
  /** Of routes without a colour, and of stops. */
  readonly route: string;
  readonly stop: string;
  readonly rental: string;
  readonly vehicle: string;
}

const PALETTES: Readonly<Record<MapTheme, Palette>> = {
  light: {
    ground: '#f6f4ef',
    land: {
      wood: '#c9dfb9',
      park: '#d3e8c4',
      grass: '#e0ecd2',
      cemetery: '#d5e2cc',
      pitch: '#c4e2c8',
      beach: '#f4ecd0',
      wetland: '#d5e6dc',
      residential: '#eeebe4',
      commercial: '#f0e6e2',
      industrial: '#e9e5ea',
      institution: '#f2ecdb',
      aerodrome: '#e8e8ee',
      square: '#f3f0ea',
    },
    water: '#a9cfe4',
    streets: {
      casing: '#cfc9bd',
      motorway: '#f0b88a',
      main: '#fbe3a6',
      minor: '#ffffff',
      far: '#dedad0',
      path: '#c9b9a5',
    },
    railway: '#9a9a9f',
    text: '#3a3f46',
    halo: '#ffffffd9',
    waterText: '#3f7394',
    route: '#5b6470',
    stop: '#26405f',
    rental: '#1f8a4c',
    vehicle: '#c2362b',
  },
  dark: {
    ground: '#1d2126',
    land: {
      wood: '#22302a',
      park: '#24342b',
      grass: '#232d29',
      cemetery: '#252f2b',
      pitch: '#25372f',
      beach: '#34322a',
      wetland: '#213030',
      residential: '#21262c',
      commercial: '#272529',
      industrial: '#25252b',
      institution: '#2a2924',
      aerodrome: '#25282f',
      square: '#2a2e34',
    },
    water: '#1c445b',
    streets: {
      casing: '#14171b',
      motorway: '#7a5a3e',
      main: '#5e5640',
      minor: '#3a4048',
      far: '#323840',
      path: '#4a443c',
    },
    railway: '#5d636b',
    text: '#d5d9de',
    halo: '#14171bd9',
    waterText: '#7fb2d1',
    route: '#9aa4b1',
    stop: '#b9d4f2',
    rental: '#5fd08e',
    vehicle: '#ff8a7d',
  },
};

/** The style in a theme; `source` makes the address of the description of some layers. */
export function presentStyle(name: string, theme: MapTheme, source: (layers: string) => string) {
  const palette = PALETTES[theme];
  return {
    version: 8,
    name: `${name} (${theme})`,
    sources: {
      map: { type: 'vector', url: source(STYLED_LAYERS) },
      live: { type: 'vector', url: source(STYLED_LIVE_LAYERS) },
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': palette.ground } },
      ...areas(palette),
      ...streets(palette),
      ...transit(palette, theme),
      ...labels(palette),
    ] satisfies StyleLayer[],
  };
}

const get = (attribute: string): Expression => ['get', attribute];
const isOneOf = (...classes: string[]): Expression => ['match', get('class'), classes, true, false];
const byZoom = (...stops: (number | Expression)[]): Expression => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  ...stops,
];

function drawn(id: string, type: StyleLayer['type'], layer: string, rest: object): StyleLayer {
  return { id, type, source: 'map', 'source-layer': layer, ...rest };
}

function areas({ land, water, ground }: Palette): StyleLayer[] {
  const color = ['match', get('class'), ...Object.entries(land).flat(), ground];
  return [
    drawn('land', 'fill', 'land', { paint: { 'fill-color': color } }),
    drawn('water', 'fill', 'water', { paint: { 'fill-color': water } }),
    drawn('waterways', 'line', 'waterways', {
      filter: ['!', ['has', 'tunnel']],
      paint: {
        'line-color': water,
        'line-width': byZoom(9, 0.5, 14, ['match', get('class'), 'stream', 1, 3], 18, [
          'match',
          get('class'),
          'stream',
          4,
          12,
        ]),
      },
    }),
  ];
}

/** Width of streets by zoom and class, plus a number of pixels. */
function streetWidth(more: number): Expression {
  const width = (motorway: number, main: number, minor: number, path: number): Expression => [
    'match',
    get('class'),
    ['motorway', 'trunk'],
    motorway + more,
    ['primary', 'secondary', 'motorway_link', 'trunk_link'],
    main + more,
    ['tertiary', 'minor', 'primary_link', 'pedestrian'],
    minor + more,
    path + more / 2,
  ];
  return byZoom(
    6,
    width(0.6, 0.4, 0.2, 0.1),
    12,
    width(2.4, 1.8, 0.7, 0.4),
    15,
    width(7, 5.5, 3.5, 1.5),
    18,
    width(24, 20, 14, 6),
  );
}

const MAJOR_STREETS = ['motorway', 'motorway_link', 'trunk', 'trunk_link', 'primary', 'primary_link', 'secondary'];
const PATHS = ['path', 'steps', 'cycleway', 'track'];

/**
 * Streets at low and at high zooms: between these zooms, minor ones change from thin lines to white ones with edges.
 */
function nearer(far: Expression, near: Expression): Expression {
  return byZoom(13, far, 14.5, near);
}

function streets(palette: Palette): StyleLayer[] {
  const { railway, water } = palette;
  return [
    ...otherWays(palette),
    ...carriageways(palette),
    drawn('railways', 'line', 'railways', {
      paint: {
        'line-color': railway,
        'line-width': byZoom(8, 0.6, 14, ['match', get('class'), 'rail', 1.8, 1], 18, 3),
        'line-opacity': ['case', ['has', 'tunnel'], 0.3, 0.9],
      },
    }),
    drawn('water-edges', 'line', 'water', { minzoom: 10, paint: { 'line-color': water, 'line-width': 0.5 } }),
  ];
}

/** Ways that are not carriageways. */
function otherWays({ streets, railway }: Palette): StyleLayer[] {
  return [
    drawn('runways', 'line', 'streets', {
      filter: isOneOf('runway'),
      paint: { 'line-color': streets.casing, 'line-width': byZoom(11, 1, 16, 20) },
    }),
    drawn('ferries', 'line', 'streets', {
      filter: isOneOf('ferry'),
      paint: { 'line-color': railway, 'line-width': 1, 'line-dasharray': [4, 3] },
    }),
    drawn('paths', 'line', 'streets', {
      filter: isOneOf(...PATHS),
      paint: { 'line-color': streets.path, 'line-width': streetWidth(0), 'line-dasharray': [2, 1] },
    }),
  ];
}

/** Streets with carriageways: their edges, and what is between them. */
function carriageways({ streets }: Palette): StyleLayer[] {
  const order = ['match', get('class'), ['motorway', 'trunk'], 3, ['primary', 'secondary'], 2, ['tertiary'], 1, 0];
  const shared = {
    filter: ['!', isOneOf(...PATHS, 'ferry', 'runway')],
    layout: { 'line-cap': 'round', 'line-join': 'round', 'line-sort-key': order },
  };
  const color = (minor: string): Expression => [
    'match',
    get('class'),
    ['motorway', 'motorway_link', 'trunk', 'trunk_link'],
    streets.motorway,
    ['primary', 'primary_link', 'secondary'],
    streets.main,
    minor,
  ];
  const opacity: Expression = ['case', ['has', 'tunnel'], 0.4, 1];
  const ofMajor: Expression = ['case', isOneOf(...MAJOR_STREETS), opacity, 0];
  return [
    drawn('street-casings', 'line', 'streets', {
      minzoom: 11,
      ...shared,
      paint: {
        'line-color': streets.casing,
        'line-width': streetWidth(1.5),
        'line-opacity': nearer(ofMajor, opacity),
      },
    }),
    drawn('streets', 'line', 'streets', {
      ...shared,
      paint: {
        'line-color': nearer(color(streets.far), color(streets.minor)),
        'line-width': streetWidth(0),
        'line-opacity': opacity,
      },
    }),
  ];
}

/** The colour of a line; that of lines without one, if its own is hardly seen on the ground: black or white. */
function lineColor(route: string, theme: MapTheme): Expression {
  const channels = [0, 1, 2].map((channel) => ['at', channel, ['to-rgba', ['var', 'color']]]);
  const unseen = theme === 'dark' ? ['<', ['max', ...channels], 64] : ['>', ['min', ...channels], 224];
  const color = ['to-color', ['coalesce', get('color'), route]];
  return ['let', 'color', color, ['case', unseen, ['to-color', route], ['var', 'color']]];
}

const callsAny = (...modes: string[]): Expression => ['any', ...modes.map((mode) => ['in', mode, get('modes')])];

/** The zoom from which a stop has its name: those of trains are far apart, and found by travellers first. */
const zoomOfName: Expression = [
  'case',
  callsAny('RAIL', 'FERRY', 'AIRPLANE'),
  11,
  callsAny('SUBWAY', 'FUNICULAR', 'GONDOLA'),
  13,
  callsAny('TRAM', 'CABLE_CAR'),
  14,
  15,
];

/** One value for stops of trains, metros and ferries, and another for those of trams and buses. */
const ofImportant = (value: number, other: number): Expression => ['case', ['<', zoomOfName, 14], value, other];

function transit({ route, stop, ground, rental, vehicle }: Palette, theme: MapTheme): StyleLayer[] {
  const ring = { 'circle-stroke-color': ground, 'circle-stroke-width': 1 };
  const radius = byZoom(9, 1.5, 13, 2, 15, 3.5, 18, 8);
  const point = (id: string, color: string) => ({
    id,
    type: 'circle' as const,
    source: 'live',
    'source-layer': id,
    paint: { 'circle-color': color, 'circle-radius': radius, ...ring },
  });
  return [
    drawn('patterns', 'line', 'patterns', {
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': lineColor(route, theme),
        'line-width': byZoom(5, 0.6, 10, ['match', get('mode'), 'BUS', 0.6, 1.5], 16, [
          'match',
          get('mode'),
          'BUS',
          2,
          4,
        ]),
        'line-opacity': ['match', get('mode'), 'BUS', 0.55, 0.85],
      },
    }),
    drawn('stops', 'circle', 'stops', {
      filter: ['<', get('locationType'), 2],
      // Larger ones above the others.
      layout: { 'circle-sort-key': ['-', 0, zoomOfName] },
      paint: {
        'circle-color': ground,
        'circle-radius': byZoom(9, 1.5, 13, ofImportant(3, 2), 15, ofImportant(5, 3.5), 18, ofImportant(10, 8)),
        'circle-stroke-color': stop,
        'circle-stroke-width': byZoom(13, ofImportant(1.5, 1), 15, ofImportant(2, 1.5)),
      },
    }),
    drawn('entrances', 'circle', 'stops', {
      minzoom: 16,
      filter: ['==', get('locationType'), 2],
      paint: { 'circle-color': stop, 'circle-radius': 2.5 },
    }),
    point('rentals', rental),
    point('vehicles', vehicle),
  ];
}

function labels({ text, halo, waterText }: Palette): StyleLayer[] {
  const paint = (color: string) => ({ 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.4 });
  const named = { 'text-field': get('name'), 'text-font': FONTS };
  const along = { ...named, 'symbol-placement': 'line' };
  const importance = ['match', get('class'), MAJOR_STREETS, 0, ['tertiary', 'pedestrian'], 1, PATHS, 3, 2];
  const rank = ['match', get('class'), 'city', 0, 'town', 1, ['village', 'suburb'], 2, 3];
  return [
    drawn('waterway-names', 'symbol', 'waterways', {
      minzoom: 12,
      layout: { ...along, 'text-size': 11 },
      paint: paint(waterText),
    }),
    drawn('street-names', 'symbol', 'streets', {
      minzoom: 12,
      filter: ['has', 'name'],
      layout: { ...along, 'symbol-sort-key': importance, 'text-size': byZoom(12, 9.5, 18, 14) },
      paint: paint(text),
    }),
    drawn('water-names', 'symbol', 'water', {
      minzoom: 12,
      filter: ['has', 'name'],
      layout: { ...named, 'text-size': 11 },
      paint: paint(waterText),
    }),
    drawn('stop-names', 'symbol', 'stops', {
      minzoom: 11,
      filter: ['all', ['<', get('locationType'), 2], ['>=', ['zoom'], zoomOfName]],
      layout: {
        ...named,
        'symbol-sort-key': zoomOfName,
        'text-size': ofImportant(12, 11),
        'text-anchor': 'left',
        'text-justify': 'auto',
        // Beside the mark, which is larger near the ground.
        'text-radial-offset': byZoom(15, 0.8, 18, 1.3),
        'text-optional': true,
      },
      paint: paint(text),
    }),
    drawn('place-names', 'symbol', 'places', {
      layout: {
        ...named,
        'symbol-sort-key': rank,
        'text-size': byZoom(5, ['match', get('class'), 'city', 12, 9], 14, [
          'match',
          get('class'),
          'city',
          22,
          'town',
          18,
          13,
        ]),
        'text-max-width': 8,
      },
      paint: { ...paint(text), 'text-halo-width': 1.8 },
    }),
  ];
}
