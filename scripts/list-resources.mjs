// Writes the tables of resources in docs/api.md from the compiled route table: `npm run docs`. With `--check` it only fails
// if they are not the present ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ROUTING } from '../dist/src/http/params/descriptions.js';
import { ROUTES } from '../dist/src/http/routes.js';

const PAGE = fileURLToPath(new URL('../docs/api.md', import.meta.url));
const [BEGIN, END] = ['<!-- resources: written by npm run docs -->', '<!-- end of resources -->'];

/** Names of the query parameters; the shared ones as one word. */
function parameters({ query = {} }) {
  const shared = 'fromPlace' in query ? ['*routing parameters*'] : [];
  const own = Object.keys(query).filter((name) => shared.length === 0 || !(name in ROUTING));
  return [...shared, ...own.map((name) => `\`${name}\``)].join(' ');
}

function table(tag) {
  const rows = ROUTES.filter((route) => route.tag === tag).map((route) => {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const role = route.role === undefined ? '' : ` (role \`ROLE_${route.role}\`)`;
    return `| \`${route.method} ${path}\` | ${route.summary}${role} | ${parameters(route)} |`;
  });
  return [`### ${tag}`, '', '| Resource | What | Parameters |', '|---|---|---|', ...rows].join('\n');
}

const page = readFileSync(PAGE, 'utf8');
const start = page.indexOf(BEGIN);
const end = page.indexOf(END);
if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the resources`);
const tables = [...new Set(ROUTES.map(({ tag }) => tag))].map(table).join('\n\n');
const written = `${page.slice(0, start)}${BEGIN}\n${tables}\n${page.slice(end)}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== page) throw new Error('the tables of docs/api.md are old: run npm run docs');
