/** Queries that ran, kept in this browser: the newest first, each once. */

const KEY = 'trestle graphql queries';
const KEPT = 30;

/** What is kept: query and variables. */
export function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(({ query }) => typeof query === 'string') : [];
  } catch {
    return [];
  }
}

/** Puts a query first. A browser that stores nothing is not an error. */
export function remember(query, variables) {
  const others = remembered().filter((known) => known.query !== query || known.variables !== variables);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ query, variables }, ...others].slice(0, KEPT)));
  } catch {
    // Private windows may have no storage.
  }
}

/** A query in a few words: its name, or what it asks first. */
export function title(query) {
  const text = query.replace(/#[^\n]*/g, ' ').replace(/\s+/g, ' ');
  return text.trim().slice(0, 60);
}
