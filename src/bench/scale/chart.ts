/** Charts of measurements against size, both on logarithmic scales. */

export interface Line {
  name: string;
  points: ReadonlyArray<readonly [size: number, figure: number]>;
}

const WIDTH = 460;
const HEIGHT = 300;
const MARGIN = { left: 56, right: 96, top: 34, bottom: 36 };
/** Least distance of two labels, pixels. */
const LABEL_HEIGHT = 12;
const COLORS = ['#1b6ca8', '#c0392b', '#2e8b57', '#8e44ad', '#d68910', '#5d6d7e'];

/** Charts side by side as one SVG picture. */
export function chartsSvg(charts: ReadonlyArray<{ title: string; lines: readonly Line[] }>): string {
  const drawn = charts.map(
    ({ title, lines }, i) => `<g transform="translate(${i * WIDTH} 0)">${chart(title, lines)}</g>`,
  );
  const width = charts.length * WIDTH;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${drawn.join('\n')}
</svg>
`;
}

function chart(title: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points).filter(([, figure]) => figure > 0);
  if (points.length === 0) return '';
  const x = scale(
    points.map(([size]) => size),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = scale(
    points.map(([, figure]) => figure),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const sizes = [...new Set(points.map(([size]) => size))];
  return [
    `<text x="${MARGIN.left}" y="18" font-size="13" font-weight="bold">${title}</text>`,
    ...y.ticks.map((tick) => gridLine(y.at(tick), short(tick))),
    ...sizes.map((size) => sizeLabel(x.at(size), short(size))),
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">vertices of streets</text>`,
    ...drawLines(lines, x.at, y.at),
  ].join('\n');
}

/** A logarithmic scale over whole powers of ten on one axis. */
function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  return { at, ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) };
}

function gridLine(y: number, label: string): string {
  const line = `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y}" y2="${y}" stroke="#ddd"/>`;
  return `${line}<text x="${MARGIN.left - 6}" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function sizeLabel(x: number, label: string): string {
  return `<text x="${x.toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 15}" text-anchor="middle">${label}</text>`;
}

function drawLines(lines: readonly Line[], x: (size: number) => number, y: (figure: number) => number): string[] {
  const drawn = lines.flatMap(({ name, points }, i) => {
    const shown = points.filter(([, figure]) => figure > 0).map(([size, figure]) => [x(size), y(figure)] as const);
    const end = shown.at(-1);
    return end === undefined ? [] : [{ name, color: COLORS[i % COLORS.length] as string, shown, end }];
  });
  const heights = apart(drawn.map(({ end }) => end[1]));
  return drawn.map((line, i) => {
    const [right] = line.end;
    const label = `<text x="${(right + 6).toFixed(1)}" y="${((heights[i] ?? 0) + 4).toFixed(1)}" fill="${line.color}">${line.name}</text>`;
    return drawLine(line.shown, line.color) + label;
  });
}

function drawLine(points: ReadonlyArray<readonly [x: number, y: number]>, color: string): string {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const dots = points.map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.5" fill="${color}"/>`);
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>${dots.join('')}`;
}

/** Heights of labels, moved down where labels would overlap; in the order given. */
export function apart(heights: readonly number[]): number[] {
  const moved = [...heights];
  const fromTheTop = heights.map((_, i) => i).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  let next = -Infinity;
  for (const i of fromTheTop) {
    moved[i] = Math.max(heights[i] ?? 0, next);
    next = (moved[i] ?? 0) + LABEL_HEIGHT;
  }
  return moved;
}

/** 100k, 1M, 0.1. */
function short(value: number): string {
  const [divisor, unit] = value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'k'] : [1, ''];
  return `${Number((value / divisor).toPrecision(2))}${unit}`;
}
