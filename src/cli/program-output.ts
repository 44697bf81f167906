/** The output of programs that forgectl runs. */
import type { ChildProcess } from 'node:child_process';

/** In milliseconds: what a program wrote before its end can be read at once. */
const graceMs = 200;

/**
 * Stops reading the output of a program after its end. Processes that it leaves in the background, such as agents, may hold the
 * output open; they are not ended.
 */
export function stopReadingAtExit(child: ChildProcess): void {
  const stop = () => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  child.once('exit', () => {
    // If the process was busy meanwhile, it reads the rest between the timer and the immediate.
    const timer = setTimeout(() => setImmediate(stop), graceMs);
    child.once('close', () => clearTimeout(timer));
  });
}
