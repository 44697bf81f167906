/** The tools whose files can be imported. */
import type { Format } from '../model.ts';
import { peribolos } from './peribolos.ts';

export const formats: readonly Format[] = [peribolos];
