/** Turns of the event loop until the work is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  count();
  await work;
  done = true;
  return turns;
}

/** Resolves after some turns of the event loop, in which what is ready in this process gets done. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Keeps the event loop busy. */
export function burn(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
