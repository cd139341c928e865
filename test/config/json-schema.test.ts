import test from 'ava';
import { parseDocument } from '../../src/config/document.js';
import { read, TEXT } from '../../src/config/fields.js';
import { fieldSchema } from '../../src/config/json-schema.js';
import { SERVER_SETTINGS } from '../../src/config/server-config.js';

test('a schema says which members have to be there, as the reader does', (t) => {
  const field = { kind: 'object', fields: { id: TEXT, note: TEXT }, required: ['id'] } as const;
  t.deepEqual(fieldSchema(field).required, ['id']);
  t.throws(() => read(parseDocument('{ note: "a" }', 'a.json'), field, []), { message: /: id is missing$/ });
  t.is(fieldSchema({ kind: 'object', fields: { note: TEXT } }).required, undefined);
  const users = fieldSchema(SERVER_SETTINGS.users.field) as { items: { required: string[] } };
  t.deepEqual(users.items.required, ['name', 'password', 'roles']);
});
