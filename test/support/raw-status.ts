import { request } from 'node:http';

/** Sends a path that `fetch` would normalize, with no headers but these; resolves with the status. */
export function rawStatus(root: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { origin, hostname, port } = new URL(root);
  const target = root.slice(origin.length) + path;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: target, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}
