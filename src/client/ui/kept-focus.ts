/** The focus when the element that has it is replaced. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The reference of an element with `tabIndex` −1, or of one that can have the focus anyway. When a render of the calling
 * component removes what has the focus inside the element, the element gets it, unless something else has taken it;
 * otherwise it would be lost, and with it the place of people who use keys or a screen reader.
 *
 * @param around an element around everything that the component renders, if it has none of its own that stays.
 */
export function useKeptFocus<E extends HTMLElement>(around: E | null = null): RefObject<E | null> {
  const element = useRef<E>(around);
  const hadFocus = element.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  });
  return element;
}
