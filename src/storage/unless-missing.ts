/** For `catch`: undefined for a missing file; any other error is thrown again. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
