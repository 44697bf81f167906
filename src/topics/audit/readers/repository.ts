/** Fetches the facts about repositories that checks judge. */
import type { repositoryReadings } from '../../../foresight/audit/readings.ts';
import type { ReadersOf, RepositoryReader } from './reader.ts';

export const repositoryReaders: ReadersOf<typeof repositoryReadings, RepositoryReader> = {
  repository: async ({ repository }) => ({ value: repository }),
};
