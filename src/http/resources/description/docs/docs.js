// The page of the interface's description: a list of operations, each with a form that tries it. No dependencies,
// nothing from elsewhere.

const main = document.querySelector('#operations');
const filter = document.querySelector('#filter');

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function typeOf({ type, items, enum: constants, default: byDefault }) {
  const base = type === 'array' ? `list of ${items.type}` : type;
  const choices = constants ? `: ${constants.join(', ')}` : '';
  return base + choices + (byDefault === undefined ? '' : ` = ${byDefault}`);
}

function parameterRow(parameter) {
  const input = element('input', { name: parameter.name, ariaLabel: parameter.name });
  const name = element('code', { textContent: parameter.name + (parameter.required ? ' *' : '') });
  const row = element('tr');
  row.append(
    element('td', {}, name),
    element('td', { textContent: typeOf(parameter.schema) }),
    element('td', { textContent: parameter.description ?? '' }),
    element('td', {}, input),
  );
  return { row, input, parameter };
}

function requestUrl(server, path, fields) {
  let target = path;
  const query = new URLSearchParams();
  for (const { input, parameter } of fields) {
    if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (input.value !== '') query.append(parameter.name, input.value);
  }
  const text = query.toString();
  return server.replace(/\/$/, '') + target + (text === '' ? '' : `?${text}`);
}

async function show(url, output) {
  output.hidden = false;
  output.textContent = `GET ${url}\n…`;
  const response = await fetch(url);
  const type = response.headers.get('Content-Type') ?? '';
  const head = `GET ${url}\n${response.status} ${type}\n\n`;
  if (type.startsWith('image/') || type.includes('zip')) {
    output.textContent = `${head}${(await response.arrayBuffer()).byteLength} bytes`;
    return;
  }
  const text = await response.text();
  const pretty = type.includes('json') && /^[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  output.textContent = head + pretty.slice(0, 100_000);
}

function operationDetails(server, path, method, operation) {
  const fields = operation.parameters.map(parameterRow);
  const body = element('div', { className: 'body' });
  if (fields.length > 0) body.append(element('table', {}, ...fields.map(({ row }) => row)));
  if (operation.requestBody) {
    body.append(element('p', { textContent: `Body: ${Object.keys(operation.requestBody.content).join(', ')}` }));
  }
  if (method === 'get') {
    const output = element('pre', { hidden: true });
    const run = () =>
      show(requestUrl(server, path, fields), output).catch((error) => (output.textContent = String(error)));
    body.append(element('p', {}, element('button', { textContent: 'Try', onclick: run })), output);
  }
  const lock = operation.security ? ' (ROLE_ROUTERS)' : '';
  const summary = element(
    'summary',
    {},
    element('span', { className: 'method', textContent: method.toUpperCase() }),
    element('code', { textContent: path }),
    ` ${operation.summary}`,
    element('span', { className: 'lock', textContent: lock }),
  );
  return element('details', {}, summary, body);
}

function render(description) {
  const server = description.servers[0].url;
  main.replaceChildren();
  for (const { name } of description.tags) {
    const section = element('section', {}, element('h2', { textContent: name }));
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.tags.includes(name)) section.append(operationDetails(server, path, method, operation));
      }
    }
    main.append(section);
  }
}

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase();
  for (const details of main.querySelectorAll('details')) {
    details.hidden = !details.querySelector('summary').textContent.toLowerCase().includes(words);
  }
});

const description = await (await fetch('openapi.json')).json();
document.querySelector('#about').textContent = `${description.info.description}. Version ${description.info.version}.`;
render(description);
