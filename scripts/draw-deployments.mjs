// Draws the pictures of docs/deploy/many-hosts.md: node scripts/draw-deployments.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OUTPUT = new URL('../docs/pictures/', import.meta.url);

/** Colours of boxes: parts of Trestle, what operators already have, and hosts. */
const FILLS = { trestle: '#dbeafe', other: '#f3f4f6', host: '#ffffff' };
const [HEIGHT, GAP] = [44, 26];

/** A box with a name and a description; `x` and `y` are its upper left corner. */
const box = (x, y, width, name, what = '', kind = 'trestle') => ({ x, y, width, height: HEIGHT, name, what, kind });
const host = (x, y, width, height, name) => ({ x, y, width, height, name, what: '', kind: 'host' });

/** An arrow between the sides of two boxes that face each other. */
function arrow(from, to) {
  const [fx, fy, tx, ty] = [
    from.x + from.width / 2,
    from.y + from.height / 2,
    to.x + to.width / 2,
    to.y + to.height / 2,
  ];
  const sideways = Math.abs(tx - fx) >= (from.width + to.width) / 2;
  const direction = Math.sign(sideways ? tx - fx : ty - fy);
  const half = (size) => (direction * size) / 2;
  if (sideways) return { a: [fx + half(from.width), fy], b: [tx - half(to.width), ty] };
  return { a: [fx, fy + half(from.height)], b: [tx, ty - half(to.height)] };
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const label = (x, y, text, style) => `<text x="${x}" y="${y}" ${style}>${escaped(text)}</text>`;

function drawBox({ x, y, width, height, name, what, kind }) {
  const isHost = kind === 'host';
  const dashes = isHost ? ' stroke-dasharray="4 3"' : '';
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${FILLS[kind]}" stroke="#4b5563"${dashes}/>`;
  if (isHost) return `${frame}${label(x + 8, y + 16, name, 'font-size="12" fill="#4b5563"')}`;
  const middle = 'text-anchor="middle"';
  const title = label(x + width / 2, y + (what === '' ? 27 : 19), name, `${middle} font-size="14" fill="#111827"`);
  return `${frame}${title}${what === '' ? '' : label(x + width / 2, y + 35, what, `${middle} font-size="11" fill="#374151"`)}`;
}

function drawArrow({ a, b }) {
  return `<line x1="${a[0]}" y1="${a[1]}" x2="${b[0]}" y2="${b[1]}" stroke="#4b5563" marker-end="url(#tip)"/>`;
}

function picture(title, width, height, boxes, arrows) {
  const tip =
    '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#4b5563"/></marker>';
  const parts = [...boxes.map(drawBox), ...arrows.map(drawArrow)].join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" role="img">
<title>${escaped(title)}</title>
<defs>${tip}</defs>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${parts}
</svg>
`;
}

function oneProcess() {
  const clients = box(20, 50, 110, 'clients', '', 'other');
  const machine = host(180, 20, 400, 104, 'one machine');
  const server = box(200, 50, 170, 'trestle serve', 'plans, analyses, jobs');
  const files = box(420, 50, 140, 'graphs/', 'files', 'other');
  return picture(
    'One process',
    600,
    144,
    [machine, clients, server, files],
    [arrow(clients, server), arrow(server, files)],
  );
}

function oneHost() {
  const clients = box(20, 94, 110, 'clients', '', 'other');
  const machine = host(180, 20, 580, 192, 'one machine');
  const parent = box(200, 94, 160, 'trestle serve', '--workers 2: the supervisor');
  const [one, two] = [box(420, 50, 150, 'process 1', 'serves'), box(420, 138, 150, 'process 2', 'serves')];
  const files = box(620, 94, 120, 'graphs/', 'in memory once', 'other');
  const arrows = [arrow(clients, parent), arrow(parent, one), arrow(parent, two), arrow(one, files), arrow(two, files)];
  return picture('One host with several processes', 780, 232, [machine, clients, parent, one, two, files], arrows);
}

function manyHosts() {
  const row = (i) => 20 + i * (HEIGHT + GAP);
  const clients = box(20, row(0.5), 100, 'clients', '', 'other');
  const proxy = box(180, row(0.5), 120, 'proxy', 'health checks', 'other');
  const servers = [0, 1].map((i) => box(350, row(i), 150, 'trestle serve', 'host with a cache'));
  const workers = [2, 3].map((i) => box(350, row(i), 150, 'trestle work', 'parts of jobs'));
  const valkey = box(600, row(0.5), 170, 'Redis or Valkey', 'shared state, queue', 'other');
  const store = box(600, row(2), 170, 'object store', 'graphs, jobs, results', 'other');
  const publisher = box(600, row(3.5), 170, 'trestle publish', 'where graphs are built');
  const arrows = [
    arrow(clients, proxy),
    ...servers.map((server) => arrow(proxy, server)),
    ...[...servers, ...workers].flatMap((process) => [arrow(process, valkey), arrow(process, store)]),
    arrow(publisher, store),
  ];
  const boxes = [clients, proxy, ...servers, ...workers, valkey, store, publisher];
  return picture('Many hosts', 790, row(4.5), boxes, arrows);
}

/** The pictures by the names of their files. */
export const PICTURES = { 'one-process.svg': oneProcess(), 'one-host.svg': oneHost(), 'many-hosts.svg': manyHosts() };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(PICTURES)) writeFileSync(new URL(name, OUTPUT), text);
}
