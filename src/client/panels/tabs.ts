/** The tools as tabs: arrow keys move between them. */

import { element } from '../dom.js';

/** A tool. */
export interface Tab {
  id: string;
  title: string;
  pane: HTMLElement;
}

/** Fills the tab list and the area of the panes; the first tab is open. */
export function showTabs(list: HTMLElement, panes: HTMLElement, tabs: readonly Tab[]): void {
  const buttons = tabs.map(({ id, title }, index) =>
    element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${id}`,
        'aria-controls': `pane-${id}`,
        click: () => open(index),
        keydown: (event) => moveFocus(event as KeyboardEvent, index),
      },
      title,
    ),
  );
  for (const { id, pane } of tabs) {
    pane.id = `pane-${id}`;
    pane.setAttribute('role', 'tabpanel');
    pane.setAttribute('aria-labelledby', `tab-${id}`);
  }
  const open = (chosen: number) => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
      tabs[index]?.pane.toggleAttribute('hidden', index !== chosen);
    }
  };
  const moveFocus = (event: KeyboardEvent, from: number) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const to = (from + step + tabs.length) % tabs.length;
    open(to);
    buttons[to]?.focus();
  };
  list.replaceChildren(...buttons);
  panes.replaceChildren(...tabs.map(({ pane }) => pane));
  open(0);
}
