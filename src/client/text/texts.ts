/** The texts of the page in the user's language. */

import { computed, effect, signal } from '@preact/signals';
import { type Language, language } from '../state/preferences.js';
import en from './languages/en.js';
import type { Texts } from './message.js';
import { messageText } from './message.js';

/** Keys: the area and the name within it. */
export type TextKey = { [A in keyof Texts & string]: `${A}.${keyof Texts[A] & string}` }[keyof Texts & string];

/** Each language is a file, which is loaded when it is chosen. */
const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Texts }>>> = {
  de: () => import('./languages/de.js'),
  fr: () => import('./languages/fr.js'),
  es: () => import('./languages/es.js'),
  pt: () => import('./languages/pt.js'),
  it: () => import('./languages/it.js'),
  fi: () => import('./languages/fi.js'),
  nb: () => import('./languages/nb.js'),
};

const shown = signal<{ language: Language; texts: Texts }>({ language: 'en', texts: en });

/** The language of the texts that are shown, for the numbers and dates beside them. */
export const locale = computed(() => {
  const { language: spoken } = shown.value;
  // British and American readers write dates in another order, as those of other languages do.
  return navigator.languages.find((tag) => tag.split('-')[0]?.toLowerCase() === spoken) ?? spoken;
});

/**
 * The text with this key; `{name}` in it is replaced by the value of that name, and `count` chooses singular or plural.
 */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const { language: spoken, texts } = shown.value;
  const dot = key.indexOf('.');
  const area = texts[key.slice(0, dot) as keyof Texts] as Readonly<Record<string, string>>;
  return messageText(area[key.slice(dot + 1)] ?? key, values, spoken);
}

/** Loads the chosen language, and each that is chosen later. Resolves when the first is loaded. */
export function followLanguage(): Promise<void> {
  return new Promise((resolve) => {
    effect(() => {
      const wanted = language.value;
      load(wanted)
        .catch(() => undefined)
        .finally(resolve);
    });
  });
}

/** Rejects if the file cannot be loaded; the page keeps its present language then. */
async function load(wanted: Language): Promise<void> {
  const texts = wanted === 'en' ? en : (await LOADERS[wanted]()).default;
  if (wanted !== language.peek()) return;
  shown.value = { language: wanted, texts };
  document.documentElement.lang = wanted;
}
