/** Shared by the policy commands that send requests. */
import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { filesInWords, signWordsIn } from '../../cli/account/app/sign-words.ts';
import { keyFilesIn, readSettings } from '../../cli/account/settings.ts';
import { SomeFailedError, UnreadableError, UsageError } from '../../cli/errors.ts';
import { fieldsPrinted } from '../../cli/result/field-list.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { settingsDirectories } from '../../disk/locations.ts';
import { requireOutputFile, writeOutputFile } from '../../disk/output-file.ts';
import type { PlannedChange } from '../../fleet/policy/live/change.ts';
import { planText, type SavedPlan } from '../../fleet/policy/planning/plan-file.ts';
import { loadPolicy } from '../../fleet/policy/wanted/load.ts';
import type { Policy } from '../../fleet/policy/wanted/model.ts';
import { asPolicyOf } from '../../fleet/policy/wanted/other-organization.ts';
import { whyNotRead } from '../../fleet/policy/wanted/secret-sources.ts';
import { counted } from '../../output/amounts.ts';
import { unwritable, whyNotWritten } from '../new-file.ts';
import { containsPlan } from './apply/saved-plan.ts';
import { readPolicyFiles } from './files.ts';

interface PolicyFlags {
  /** The organization to which the policy applies instead of its own, except for the fields of that one's identity. */
  readonly organization?: string | undefined;
  readonly 'allow-unknown': boolean;
  readonly timeout?: number | undefined;
}

/** Returns the fields of listed repositories as selectors may use them. `root` is the folder of schemas/. */
export const repositoryFields =
  (root: string) =>
  (maxDepth: number): readonly string[] =>
    fieldsPrinted('repos:list', root, maxDepth).map(({ field }) => field);

/** Returns a function that tells why a secret may not come from a place on this machine: it is a credential of forgectl. */
export const whyNoSecret = (env: NodeJS.ProcessEnv) => whyNotRead(env, () => keyFiles(env));

function keyFiles(env: NodeJS.ProcessEnv): readonly string[] {
  const [inUse = '', ...others] = settingsDirectories(env);
  return [
    ...keyFilesIn(readSettings(inUse)),
    ...others.flatMap(keyFilesIfReadable),
    ...filesInWords(signWordsIn(env.FORGECTL_APP_SIGN_COMMAND ?? '')),
  ];
}

/** Returns the key files that settings name; none if the settings cannot be read. Only the settings in use must be readable. */
function keyFilesIfReadable(directory: string): readonly string[] {
  try {
    return keyFilesIn(readSettings(directory));
  } catch {
    return [];
  }
}

/** Reads the policy of a command line. Throws UsageError and PolicyError. */
export async function policyOf(
  paths: readonly string[],
  { stdin, env }: Pick<Runtime, 'stdin' | 'env'>,
  { organization, 'allow-unknown': allowsUnknown, timeout: timeoutMs }: PolicyFlags,
  root: string,
): Promise<Policy> {
  const options = { allowsUnknown, timeoutMs, repositoryFields: repositoryFields(root), whyNoSecret: whyNoSecret(env) };
  const files = await readPolicyFiles(paths, stdin);
  if (organization === undefined) return loadPolicy(files, options);
  const policy = await loadPolicy(
    files.filter(({ file }) => !isProfile(file)),
    options,
  );
  const [owner, ...others] = policy.owners.filter(({ kind }) => kind === 'organization');
  if (!owner || others.length)
    throw new UsageError('--organization requires policy files of exactly one organization. Nothing was sent.');
  return { ...policy, owners: [asPolicyOf(organization, owner)] };
}

/** A repository or a ruleset may be named profile, too. */
const isProfile = (file: string): boolean =>
  basename(file) === 'profile.yaml' && !['repositories', 'rulesets'].includes(basename(dirname(file)));

/** Returns the error for objects that could not be planned. Names that do not exist come before what cannot be read. */
export function unplannedError(changes: readonly PlannedChange[]): Error | undefined {
  const count = (...those: PlannedChange['action'][]) => changes.filter(({ action }) => those.includes(action)).length;
  const unreadable = count('unreadable');
  const unresolved = count('unresolved', 'ambiguous');
  if (unresolved) return new SomeFailedError(`${counted(unresolved + unreadable, 'object')} could not be planned.`);
  if (unreadable === 0) return undefined;
  const advice = 'Use a token with the permissions that the plan names.';
  return new UnreadableError(`${counted(unreadable, 'object')} could not be read.`, advice);
}

/**
 * Throws UsageError if a plan certainly cannot be saved to a file, for a message before the requests of the plan. A plan
 * replaces only another plan, or an empty file.
 */
export function assertWritable(file: string): void {
  try {
    requireOutputFile(file, { replace: true });
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${whyNotWritten(file, error)}. Nothing was sent.`);
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() && !isReplaceable(file))
    throw new UsageError(`${file} already exists, and is not a saved plan. Nothing was sent.`, 'Choose another file.');
}

/** Returns whether a file exists that a plan may replace. */
function isReplaceable(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.size === 0 || containsPlan(file));
}

/**
 * Saves a plan to a file that only its owner can read, as a whole or not at all. Without `replace`, it replaces
 * only another plan or an empty file. Throws UsageError and FileError.
 */
export function savePlan(
  file: string,
  plan: SavedPlan,
  { replace = () => isReplaceable(file) }: { readonly replace?: () => boolean } = {},
): void {
  try {
    writeOutputFile(file, planText(plan), { replace, isPrivate: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}
