/** Fetches the facts about enterprises that checks judge. */
import * as v from 'valibot';
import { checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import type { enterpriseReadings } from '../../../foresight/audit/readings.ts';
import { listEnterpriseBudgets } from '../../../platform/endpoints/budgets.ts';
import type { Budget } from '../../../platform/records.ts';
import type { OwnerReader, ReadersOf } from './reader.ts';

const budgets = checked(
  listEnterpriseBudgets,
  shape<Budget>({ id: v.string(), budget_scope: v.string(), prevent_further_usage: v.boolean() }),
);

export const enterpriseReaders: ReadersOf<typeof enterpriseReadings, OwnerReader> = {
  budgets: ({ reader, owner }) => reader.list(budgets, { path: { enterprise: owner } }),
};
