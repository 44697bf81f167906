/**
 * Removes the SIGINT listeners, so that Ctrl-C ends the process immediately; returns a function that restores them.
 * Listeners do not run while a thread computes or waits for a file, possibly forever.
 */
export function restoreDefaultInterrupt(): () => void {
  const listeners = process.listeners('SIGINT');
  for (const listener of listeners) process.off('SIGINT', listener);
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener);
  };
}
