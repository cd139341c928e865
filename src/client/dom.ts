/** Creates elements. */

type Child = Node | string | undefined;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/**
 * An element with attributes and children. Functions become listeners of the event that the attribute names, `true`
 * becomes an empty attribute; `false`, `undefined` and undefined children are left out.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A labelled field. */
export function field(label: string, control: HTMLElement, className = 'field'): HTMLLabelElement {
  return element('label', { class: className }, element('span', {}, label), control);
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}
