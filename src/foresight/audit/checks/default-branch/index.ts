/** Checks of the protection of default branches. */
import { defaultBranchAdministrators } from './administrators.ts';
import { defaultBranchApprovals } from './approvals.ts';
import { defaultBranchCodeOwners } from './code-owners.ts';
import { defaultBranchConversations } from './conversations.ts';
import { defaultBranchDeletion } from './deletion.ts';
import { defaultBranchForcePush } from './force-push.ts';
import { defaultBranchLastPush } from './last-push.ts';
import { defaultBranchLinearHistory } from './linear-history.ts';
import { defaultBranchPullRequest } from './pull-request.ts';
import { defaultBranchReportedChecks } from './reported-checks.ts';
import { defaultBranchSignatures } from './signatures.ts';
import { defaultBranchStaleApprovals } from './stale-approvals.ts';
import { defaultBranchStatusChecks } from './status-checks.ts';
import { defaultBranchUpToDate } from './up-to-date.ts';

export const defaultBranchChecks = [
  defaultBranchDeletion,
  defaultBranchForcePush,
  defaultBranchPullRequest,
  defaultBranchApprovals,
  defaultBranchStaleApprovals,
  defaultBranchCodeOwners,
  defaultBranchLastPush,
  defaultBranchConversations,
  defaultBranchStatusChecks,
  defaultBranchReportedChecks,
  defaultBranchUpToDate,
  defaultBranchSignatures,
  defaultBranchLinearHistory,
  defaultBranchAdministrators,
];
