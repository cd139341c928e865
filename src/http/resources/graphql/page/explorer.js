/** Reading the types: one at a time, with the way that led there, or all that fit a search. */

import { innermost, typeText } from './schema.js';

/** Shows the types of a schema below `view`; `trail` gets the way back, `find` filters. */
export function explore(schema, { view, trail, find }) {
  const way = [schema.root];
  const show = () => {
    trail.replaceChildren(...way.flatMap((name, i) => [i > 0 ? ' › ' : '', button(name, () => back(i))]));
    view.replaceChildren(...described(schema.types.get(way.at(-1)), open));
  };
  const back = (i) => {
    way.length = i + 1;
    show();
  };
  const open = (name) => {
    way.push(name);
    find.value = '';
    show();
  };
  find.addEventListener('input', () => {
    const wanted = find.value.trim().toLowerCase();
    if (wanted === '') return show();
    view.replaceChildren(...found(schema, wanted, open));
  });
  show();
}

function described({ description, fields, enumValues, inputFields }, open) {
  const members = fields ?? enumValues ?? inputFields ?? [];
  return [element('p', description ?? ''), element('dl', ...members.flatMap((member) => entry(member, open)))];
}

/** Types whose name, and fields whose name or description has the wanted text. */
function found(schema, wanted, open) {
  const has = (text) => text?.toLowerCase().includes(wanted);
  return [...schema.types.values()].flatMap((type) => {
    const fields = (type.fields ?? []).filter(({ name, description }) => has(name) || has(description));
    if (!has(type.name) && fields.length === 0) return [];
    const title = element(
      'h3',
      button(type.name, () => open(type.name)),
    );
    return [title, element('dl', ...fields.flatMap((field) => entry(field, open)))];
  });
}

function entry({ name, description, type, args = [], defaultValue }, open) {
  const typed = (of) => button(typeText(of), () => open(innermost(of)));
  const list = args.flatMap((arg, i) => [i === 0 ? '(' : ', ', `${arg.name}: `, typed(arg.type), given(arg)]);
  const title = element('dt', name, ...list, list.length > 0 ? ')' : '', ...(type ? [': ', typed(type)] : []));
  title.append(given({ defaultValue }));
  return [title, ...(description ? [element('dd', description)] : [])];
}

function given({ defaultValue }) {
  return defaultValue === null || defaultValue === undefined ? '' : ` = ${defaultValue}`;
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

function button(text, onClick) {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
