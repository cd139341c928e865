import test from 'ava';
import { messageOf } from '../../src/cli/failure.js';

test('a port that the user may not listen on is named with what to do', (t) => {
  const refused = (syscall: string, port: number) => {
    const error = new Error(`${syscall} EACCES 0.0.0.0:${port}`);
    return messageOf(Object.assign(error, { code: 'EACCES', syscall, address: '0.0.0.0', port }));
  };
  for (const syscall of ['listen', 'bind']) {
    t.is(
      refused(syscall, 80),
      'port 80 is forbidden, because ports below 1024 need more rights than this user has: choose a higher one with --port or, for HTTPS, --securePort, or give node the right CAP_NET_BIND_SERVICE (EACCES)',
    );
  }
  t.is(
    refused('listen', 5000),
    'port 5000 is forbidden, because the system does not allow this user to listen there: choose another one with --port or, for HTTPS, --securePort (EACCES)',
  );
  const file = Object.assign(new Error("EACCES: permission denied, open 'a'"), { code: 'EACCES', syscall: 'open' });
  t.is(messageOf(file), "EACCES: permission denied, open 'a'");
});
