/** Progress on the terminal: a bar while it is one, plain lines in a log. */

/** How far a piece of work has come; `fraction` is 0 to 1 within the step. */
export type ProgressListener = (step: string, fraction: number) => void;

/** Shows the steps of a piece of work. */
export interface ProgressDisplay {
  readonly listener: ProgressListener;
  /** Ends the display; nothing may be reported after it. */
  stop(): void;
}

/** A display on standard error, so that standard output stays what the command is for. */
export async function progressDisplay(stream: NodeJS.WriteStream = process.stderr): Promise<ProgressDisplay> {
  if (!stream.isTTY) return lines(stream);
  const { bars } = await import('./progress-bars.js');
  return bars(stream);
}

function lines(stream: NodeJS.WriteStream): ProgressDisplay {
  let current = '';
  let startedAt = Date.now();
  const finish = () => {
    if (current !== '') stream.write(`${current}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
    current = '';
  };
  const listener: ProgressListener = (step) => {
    if (step === current) return;
    finish();
    current = step;
    startedAt = Date.now();
  };
  return { listener, stop: finish };
}
