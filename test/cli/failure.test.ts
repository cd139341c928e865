import test from 'ava';
import { messageOf } from '../../src/cli/failure.js';

test('a port that the user may not listen on is named with what to do', (t) => {
  for (const syscall of ['listen', 'bind']) {
    const refused = { code: 'EACCES', syscall, address: '0.0.0.0', port: 80 };
    const message = messageOf(Object.assign(new Error(`${syscall} EACCES 0.0.0.0:80`), refused));
    t.regex(message, /^port 80: this user may not listen there; .* \(EACCES\)$/);
  }
  const file = Object.assign(new Error("EACCES: permission denied, open 'a'"), { code: 'EACCES', syscall: 'open' });
  t.is(messageOf(file), "EACCES: permission denied, open 'a'");
});
