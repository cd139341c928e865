/** Choices of the user that are not part of a link: language, theme, units. Kept in the browser's storage. */

import { computed, effect, type Signal, signal } from '@preact/signals';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'fi', 'nb'] as const;
export type Language = (typeof LANGUAGES)[number];

export const UNITS = ['metric', 'imperial'] as const;

/** Themes to choose from; `system` is that of the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = 'light' | 'dark';

export const language = preference('language', LANGUAGES, firstLanguage());
export const units = preference('units', UNITS, 'metric');
export const themeChoice = preference('theme', THEMES, 'system');

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches;
});

export const theme = computed<Theme>(() => {
  if (themeChoice.value !== 'system') return themeChoice.value;
  return systemIsDark.value ? 'dark' : 'light';
});

/** Whether a picture of the map is being made for paper, which is white. */
export const isForPaper = signal(false);

export const mapTheme = computed<Theme>(() => (isForPaper.value ? 'light' : theme.value));

/** Whether the page should avoid animations. */
export const calm = matchMedia('(prefers-reduced-motion: reduce)');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

function preference<const W extends string>(name: string, words: readonly W[], initial: NoInfer<W>): Signal<W> {
  const key = `trestle.${name}`;
  const kept = storage()?.getItem(key);
  const value = signal<W>(words.find((word) => word === kept) ?? initial);
  let first = true;
  effect(() => {
    const text = value.value;
    if (!first) storage()?.setItem(key, text);
    first = false;
  });
  return value;
}

/** Browsers may refuse access to the storage. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** The first of the user's languages that has texts. Norwegian has several codes. */
function firstLanguage(): Language {
  for (const wanted of navigator.languages) {
    const code = wanted.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((known) => known === (code === 'no' || code === 'nn' ? 'nb' : code));
    if (found !== undefined) return found;
  }
  return 'en';
}
