/** Flags of V8 that a run sets once it knows what it is about to do. */
import { setFlagsFromString } from 'node:v8';

const set = new Set<string>();

/**
 * Sets a flag for the rest of the run. `usual` is what it otherwise is: that comes back before the run ends, as compiled code
 * that is then kept for later runs fits only the flags that they start with.
 */
export function setV8Flag(flag: string, usual: string): void {
  if (set.has(flag)) return;
  set.add(flag);
  setFlagsFromString(flag);
  process.prependOnceListener('exit', () => setFlagsFromString(usual));
}
