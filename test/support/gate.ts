/** A promise that a test resolves when it wants. */
export interface Gate {
  readonly promise: Promise<void>;
  open(): void;
}

/** A closed gate. */
export function gate(): Gate {
  let open: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
