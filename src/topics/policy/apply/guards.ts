/** What `policy apply` makes only with a flag. */
import { GuardError, UsageError } from '../../../cli/errors.ts';
import { changesToAllow, refusalsOf, tooManyDeletions } from '../../../fleet/policy/applying/guards.ts';
import type { OptionalChanges } from '../../../fleet/policy/applying/optional-changes.ts';
import type { PlannedChange, Step } from '../../../fleet/policy/live/change.ts';
import type { Reader } from '../../../fleet/policy/live/requests.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { sourceName } from '../../../fleet/policy/wanted/secret-sources.ts';
import { counted, formatCount } from '../../../output/amounts.ts';
import type { TokenKind } from '../../../platform/endpoint.ts';
import type { ApplyFlags } from './flags.ts';

/** Throws a GuardError that lists all changes that flags forbid or do not allow. */
export async function requireAllowed(
  steps: readonly PlannedChange[],
  flags: ApplyFlags,
  { reader, tokenKind }: { readonly reader: Reader; readonly tokenKind?: TokenKind | undefined },
): Promise<void> {
  const loosening = steps.filter(({ effect }) => effect === 'loosens').length;
  const denied = flags.deny !== undefined && loosening > 0;
  const allowsSelf = flags['allow-self'] || tokenKind === 'installation';
  const problems = [
    denied && `${counted(loosening, 'change')} would loosen protection (--deny loosens).`,
    tooManyDeletions(steps, flags['allow-deletes']),
    notAllowed(steps, flags.allow),
    ...(await refusalsOf(steps, { reader, allowsSelf })),
  ].filter((problem) => typeof problem === 'string');
  if (problems.length) throw new GuardError([...problems, 'Nothing was written.'].join(' '));
}

function notAllowed(steps: readonly PlannedChange[], allowed: readonly string[] = []): string | undefined {
  const changes = [...changesToAllow(steps, allowed)];
  if (changes.length === 0) return undefined;
  const what = changes.map(
    ([change, count]) => `${change} of ${count === 1 ? '1 repository' : `${formatCount(count)} repositories`}`,
  );
  const names = [...allowed, ...changes.map(([change]) => change)];
  return `${what.join(' and ')} would change. To allow that, use --allow ${names.join(',')}.`;
}

/** Throws GuardError for secrets of a saved plan that no one could have seen, and that no flag allows. */
export function requireSecretsAllowed(steps: readonly Step[], flags: ApplyFlags): void {
  const names = secretNames(steps).filter((name) => !flags['allow-secret']?.includes(name));
  if (names.length)
    throw new GuardError(
      `The plan sends ${names.length === 1 ? 'a secret' : `${names.length} secrets`} from ${names.join(', ')}. To allow that, add --allow-secret ${names.join(',')}. Nothing was written.`,
    );
}

/** Returns the variables and files from which steps take secrets. */
export const secretNames = (steps: readonly PlannedChange[]): string[] => [
  ...new Set(steps.flatMap(({ secret }) => (secret ? [sourceName(secret)] : []))),
];

/** Returns what is made only with a flag. Throws UsageError for the name of a registry without a secret in the policy. */
export function extentOf({ changes }: SavedPlan, flags: ApplyFlags): OptionalChanges {
  const { prune, 'rotate-secrets': rotatesAll, 'rotate-secret': names = [] } = flags;
  const isNamed = ({ id }: PlannedChange, name: string) => String(id).toLowerCase() === name.toLowerCase();
  const sealed = changes.filter(({ action, secret }) => action === 'unverified' && secret);
  const unknown = names.filter((name) => !sealed.some((change) => isNamed(change, name)));
  if (unknown.length)
    throw new UsageError(
      `The policy has no secret for an existing registry ${unknown.join(', ')}. Nothing was sent.`,
      sealed.length ? `Registries with a secret: ${sealed.map(({ id }) => id).join(', ')}` : undefined,
    );
  const rotates = (change: PlannedChange) => rotatesAll || names.some((name) => isNamed(change, name));
  return { prune, rotates, resendsSelection: flags['resend-selection'] };
}
