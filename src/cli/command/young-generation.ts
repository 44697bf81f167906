import { setFlagsFromString } from 'node:v8';

/**
 * Stops V8 from enlarging its young generation, which doubles up to 128 MiB while many responses are in memory at once.
 * A plan over 10,000 repositories peaks at 180 MiB instead of 280, for at most a tenth more CPU time.
 */
export const limitYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1');
