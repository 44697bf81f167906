/** The classic protection of the branch that is pushed to, which counts beside rulesets. */
import type { Session } from '../../cli/command/session.ts';
import { type RepoName, targetName } from '../../cli/input/args.ts';
import { unlessHidden } from '../../client/errors.ts';
import { invalidResponse } from '../../client/response.ts';
import { protectionRulesets, unprotected } from '../../foresight/branch-protection.ts';
import type { JudgedRuleset } from '../../foresight/facts.ts';
import { isObjectId } from '../../git/pushed.ts';
import { getBranch, getBranchProtection } from '../../platform/endpoints/branches.ts';
import type { Branch } from '../../platform/records.ts';
import type { PushingPerson } from './people.ts';

/** The requests that tell how a branch is protected. */
export const protectionReads = [getBranch.route, getBranchProtection.route];

const prefix = 'refs/heads/';

/**
 * Returns the branch that a ref is on the platform; undefined for tags, new branches, and those that the token cannot read.
 * Throws InvalidResponseError for a commit without an ID, which git would look up as something else.
 */
export async function branchAt(session: Session, path: RepoName, ref: string): Promise<Branch | undefined> {
  if (!ref.startsWith(prefix)) return undefined;
  const branch = await unlessHidden(
    session.call(getBranch, { path: { ...path, branch: ref.slice(prefix.length) } }, {}),
  );
  const sha: unknown = branch?.commit?.sha;
  if (sha === undefined || isObjectId(sha)) return branch;
  const asked = { method: 'GET', path: `/repos/${targetName(path)}/branches/${ref.slice(prefix.length)}` };
  throw invalidResponse({ ...asked, endpoint: getBranch }, 'a branch whose commit has no ID');
}

/** Returns the classic protection of a ref as rulesets; none for tags. */
export async function classicProtection(
  session: Session,
  path: RepoName,
  { ref, branch }: { readonly ref: string; readonly branch: Branch | undefined },
  person: PushingPerson,
): Promise<JudgedRuleset[]> {
  if (!ref.startsWith(prefix)) return [];
  const source = targetName(path);
  if (branch === undefined)
    return [unprotected(source, 'whether classic protection covers a branch that does not exist, or cannot be read')];
  if (branch.protection?.enabled === false) return [unprotected(source)];
  const input = { path: { ...path, branch: ref.slice(prefix.length) } };
  const protection = await unlessHidden(session.call(getBranchProtection, input, {}));
  if (protection === undefined)
    return [unprotected(source, 'what classic protection requires, which takes the permission administration (read)')];
  const { restrictions, required_pull_request_reviews: reviews, enforce_admins: forAdministrators } = protection;
  const [isAdministrator, isAllowed, bypassesReviews] = await Promise.all([
    restrictions || forAdministrators?.enabled !== true ? person.isAdministrator() : false,
    restrictions ? person.isAmong(restrictions) : true,
    reviews?.bypass_pull_request_allowances ? person.isAmong(reviews.bypass_pull_request_allowances) : false,
  ]);
  return protectionRulesets(protection, source, { isAdministrator, isAllowed, bypassesReviews });
}
