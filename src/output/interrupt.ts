/**
 * Lets Ctrl-C end the process by itself until the function that it gives is called. While a thread computes or waits for a
 * file, perhaps for ever, none of its listeners hears of the signal.
 */
export function letInterruptEnd(): () => void {
  const listeners = process.listeners('SIGINT');
  for (const listener of listeners) process.off('SIGINT', listener);
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener);
  };
}
