/** Messages between the supervising process and the serving processes. */

/** From a serving process to the supervisor. `call` matches a question with its answer. */
export type FromServing =
  /** Subscribes to all values and asks for the present ones. */
  | { readonly trestle: 'join'; readonly call: number }
  /** Asks for the lock of this name. */
  | { readonly trestle: 'lock'; readonly call: number; readonly name: string }
  | { readonly trestle: 'unlock'; readonly name: string }
  /** Reports that it has changed a value, which the others have to take. */
  | { readonly trestle: 'broadcast'; readonly call: number; readonly name: string; readonly text: string }
  /** Reports that it has taken a value, or could not. */
  | { readonly trestle: 'taken'; readonly call: number; readonly error?: string }
  /** Asks for the metrics of all processes. */
  | { readonly trestle: 'metrics'; readonly call: number }
  /** Reports that it ends because it cannot serve. */
  | { readonly trestle: 'failed'; readonly message: string; readonly exitCode: number }
  /** Answers the question whether it is alive. */
  | { readonly trestle: 'here' };

/** From the supervisor to a serving process. */
export type ToServing =
  | { readonly trestle: 'answer'; readonly call: number; readonly text?: string }
  | { readonly trestle: 'take'; readonly call: number; readonly name: string; readonly text: string }
  | { readonly trestle: 'there?' };

/** Whether a message is one of these; libraries send others over the same channel. */
export function isOurs<M extends { trestle: string }>(message: unknown): message is M {
  return typeof message === 'object' && message !== null && 'trestle' in message;
}
