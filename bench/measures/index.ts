/** All measures, in the order of the results. */
import { callMeasures } from './call.ts';
import { fleetMeasures } from './fleet.ts';
import { listMeasures } from './list.ts';
import type { Measure } from './measure.ts';

export const measures: readonly Measure[] = [...callMeasures, ...listMeasures, ...fleetMeasures];
