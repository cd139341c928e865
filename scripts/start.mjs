// `npm start`. npm runs it through a shell and passes signals only to that shell, which ends without passing them on. So
// the server stops when its parent has ended. Windows has no such signals, and a process there does not learn that its
// parent has ended.
import cluster from 'node:cluster';

const CHECK_MS = 250;

if (cluster.isPrimary) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    // Does nothing if the server is stopping already; a real signal would then end it at once.
    process.emit('SIGTERM', 'SIGTERM');
  }, CHECK_MS);
  timer.unref();
}
await import('../dist/src/cli/main.js');
