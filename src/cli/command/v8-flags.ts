/** Flags of V8 that a run sets once it knows what it is about to do. */
import { setFlagsFromString } from 'node:v8';

const set = new Set<string>();

/**
 * Sets a flag for the rest of the run. `usual` is what it otherwise is: that comes back before the run ends, as compiled code
 * that is then kept for later runs fits only the flags that they start with.
 */
function setV8Flag(flag: string, usual: string): void {
  if (set.has(flag)) return;
  set.add(flag);
  setFlagsFromString(flag);
  process.prependOnceListener('exit', () => setFlagsFromString(usual));
}

/**
 * undici parses responses in WebAssembly, and V8 soon finds that worth compiling anew, optimized. That takes 60 ms of a thread
 * which the process waits for at its end, and 10 MB of memory; in a thousand responses it gains 200 ms.
 */
export function keepParserAsItIs(): void {
  setV8Flag('--no-wasm-tier-up', '--wasm-tier-up');
  setV8Flag('--no-wasm-dynamic-tiering', '--wasm-dynamic-tiering');
}

/**
 * V8 doubles its young generation while records stream through it, from 1 MB to 16 and more. Of raw pages there is little
 * in it, and what there is holds on to memory outside of it.
 */
export function keepYoungGenerationSmall(): void {
  setV8Flag('--semi-space-growth-factor=1', '--semi-space-growth-factor=2');
}
