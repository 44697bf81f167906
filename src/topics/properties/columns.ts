/** The results of `properties set`: a record for each repository. */
import type { ErrorLine } from '../../cli/report/report.ts';
import type { Column } from '../../output/table/columns.ts';

export /** The result for a repository. */
interface PropertyChange {
  repository: string;
  /** Counts from 1: a batch is sent in one request. If the platform refuses it, each of its repositories may get its own. */
  batch: number;
  /** `unknown`: no response. `skipped`: done by an earlier run. */
  result: 'updated' | 'failed' | 'unknown' | 'skipped';
  error?: ErrorLine['error'];
}

export const changeColumns: readonly Column<PropertyChange>[] = [
  { header: 'Repository', get: 'repository', as: 'name', priority: 1 },
  { header: 'Batch', get: 'batch' },
  { header: 'Result', get: 'result', as: 'state', priority: 1 },
];
