/** Turns the files of another tool into policy files. */
import { UsageError } from '../../../cli/errors.ts';
import { isFolderName } from '../../../fleet/policy/file-names.ts';
import { type PolicyProblem, placeText } from '../../../fleet/policy/wanted/placed.ts';
import type { WrittenPolicy } from '../export.ts';
import { acceptedDraft } from './draft.ts';
import { importedFiles } from './files.ts';
import { type Loss, Losses } from './losses.ts';
import type { Format, OrganizationDraft, ReadContext } from './model.ts';
import { parseSources } from './sources.ts';

export interface Imported {
  readonly organizations: readonly ImportedOrganization[];
  readonly losses: readonly Loss[];
}

export interface ImportedOrganization {
  readonly organization: string;
  readonly files: readonly WrittenPolicy[];
}

/** Returns the policies that express the same as sources, and the values that they cannot express. Throws UsageError. */
export function importPolicies(
  format: Format,
  texts: readonly { readonly file: string; readonly text: string }[],
  options: Pick<ReadContext, 'organization' | 'repository'>,
): Imported {
  const { files, problems } = parseSources(texts);
  requireNone(problems);
  const losses = new Losses(files, format);
  const refused: PolicyProblem[] = [];
  const lose = losses.add;
  const drafts = format.read(files, {
    ...options,
    lose,
    refuse: ({ place }, message) => refused.push({ place, message }),
  });
  requireNone(refused);
  for (const { organization, place } of drafts)
    if (!isFolderName(organization)) refused.push({ place, message: `“${organization}” cannot name a folder` });
  requireNone(refused);
  const accepted = joined(drafts).map((draft) => acceptedDraft(draft, lose, (problem) => refused.push(problem)));
  requireNone(refused);
  return {
    organizations: accepted.map((draft) => ({ organization: draft.organization, files: importedFiles(draft) })),
    losses: losses.all,
  };
}

function requireNone(problems: readonly PolicyProblem[]): void {
  if (problems.length === 0) return;
  const lines = problems.map(({ place, message }) => `${placeText(place)}: ${message}`);
  throw new UsageError(
    [
      `The files have ${lines.length === 1 ? 'an error' : `${lines.length} errors`}; nothing was written.`,
      ...lines,
    ].join('\n'),
  );
}

/** Returns one draft for each organization, whose name ignores case. */
const joined = (drafts: readonly OrganizationDraft[]): readonly OrganizationDraft[] =>
  [...Map.groupBy(drafts, ({ organization }) => organization.toLowerCase()).values()].map((same) => ({
    ...(same[0] as OrganizationDraft),
    items: same.flatMap(({ items }) => items),
    entries: same.flatMap(({ entries }) => entries),
  }));
