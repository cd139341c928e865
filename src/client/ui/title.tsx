/** The title of the page, by which tabs, bookmarks and printed files are told apart. */

import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** The name of what the page shows; empty if it has none. */
export const shownName = signal('');

/** Puts a name into the title for as long as what it names is shown. */
export function Title({ name }: { name: string }) {
  useLayoutEffect(() => {
    shownName.value = name;
    return () => {
      shownName.value = '';
    };
  }, [name]);
  return null;
}
