/** Writes queries, shows their answers, and browses the types. Needs nothing but the server it came from. */

import { completionsAt, tidied } from './completion.js';
import { explore } from './explorer.js';
import { remember, remembered, title } from './history.js';
import { loadSchema, typeText } from './schema.js';

const ENDPOINT = location.pathname.replace(/\/$/, '');
const EXAMPLE = `{
  routes {
    gtfsId
    shortName
    longName
    mode
  }
}
`;

const byId = (id) => document.getElementById(id);
const [query, variables, answer, took, history, list] = [
  'query',
  'variables',
  'answer',
  'took',
  'history',
  'completions',
].map(byId);

async function ask(text, values) {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: text, variables: values }),
  });
  const body = await response.text();
  try {
    return JSON.parse(body);
  } catch {
    throw new Error(`${response.status}: ${body}`);
  }
}

async function run() {
  const started = performance.now();
  took.value = 'running …';
  try {
    const values = variables.value.trim() === '' ? undefined : JSON.parse(variables.value);
    answer.textContent = JSON.stringify(await ask(query.value, values), null, 2);
    remember(query.value, variables.value);
    showHistory();
  } catch (error) {
    answer.textContent = String(error.message);
  }
  took.value = `${Math.round(performance.now() - started)} ms`;
}

function showHistory() {
  const kept = remembered();
  history.replaceChildren(new Option('…', ''), ...kept.map((known, i) => new Option(title(known.query), i)));
  history.disabled = kept.length === 0;
}

function recall() {
  const known = remembered()[Number(history.value)];
  if (history.value === '' || known === undefined) return;
  [query.value, variables.value] = [known.query, known.variables ?? ''];
  history.value = '';
}

async function copyLink() {
  const link = new URL(location.href);
  link.search = new URLSearchParams({ query: query.value, variables: variables.value }).toString();
  window.history.replaceState(null, '', link);
  await navigator.clipboard?.writeText(link.href);
  took.value = 'link copied';
}

let schema;
let chosen = 0;
let offered = { word: '', fitting: [] };

function offer() {
  offered = schema ? completionsAt(query.value, query.selectionStart, schema) : offered;
  chosen = 0;
  list.hidden = offered.fitting.length === 0;
  drawOffers();
}

function drawOffers() {
  const items = offered.fitting.slice(0, 40).map(({ name, type }, i) => {
    const item = document.createElement('div');
    item.role = 'option';
    item.ariaSelected = String(i === chosen);
    item.textContent = `${name}: ${typeText(type)}`;
    item.addEventListener('mousedown', (event) => {
      event.preventDefault();
      chosen = i;
      take();
    });
    return item;
  });
  list.replaceChildren(...items);
  items[chosen]?.scrollIntoView({ block: 'nearest' });
}

function take() {
  const name = offered.fitting[chosen]?.name;
  const at = query.selectionStart;
  list.hidden = true;
  if (name !== undefined) query.setRangeText(name, at - offered.word.length, at, 'end');
}

/** Keys while completions are shown; true when one was for them. */
function steer(key) {
  if (list.hidden) return false;
  const count = Math.min(offered.fitting.length, 40);
  if (key === 'ArrowDown' || key === 'ArrowUp') chosen = (chosen + (key === 'ArrowDown' ? 1 : count - 1)) % count;
  else if (key === 'Enter' || key === 'Tab') take();
  else if (key === 'Escape') list.hidden = true;
  else return false;
  drawOffers();
  return true;
}

function onKey(event) {
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key === 'Enter') run();
  else if (command && event.key === ' ') offer();
  else if (event.altKey && event.shiftKey && event.code === 'KeyF') query.value = tidied(query.value);
  else if (command || event.target !== query || !steer(event.key)) return;
  event.preventDefault();
}

const parameters = new URLSearchParams(location.search);
const [last] = remembered();
query.value = parameters.get('query') ?? last?.query ?? EXAMPLE;
variables.value = parameters.get('variables') ?? (parameters.has('query') ? '' : (last?.variables ?? ''));
byId('run').addEventListener('click', run);
byId('tidy').addEventListener('click', () => {
  query.value = tidied(query.value);
});
byId('link').addEventListener('click', copyLink);
history.addEventListener('change', recall);
document.addEventListener('keydown', onKey);
query.addEventListener('input', (event) => {
  if (event.inputType === 'insertText' && /\w/.test(event.data ?? '')) offer();
  else list.hidden = true;
});
query.addEventListener('blur', () => {
  list.hidden = true;
});
showHistory();
schema = await loadSchema(ask);
explore(schema, { view: byId('types'), trail: byId('trail'), find: byId('find') });
