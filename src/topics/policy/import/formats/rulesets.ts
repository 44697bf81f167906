/** Files of exported rulesets. */
import { elements, member, type Placed, textOf } from '../../../../fleet/policy/wanted/placed.ts';
import type { EntryDraft, Format, OrganizationDraft, ReadContext } from '../model.ts';
import { rulesetItem, rulesetKeys, rulesetTable } from '../ruleset-files.ts';
import { type Lose, noOrganization, placedAt } from '../source.ts';

export const rulesets: Format = {
  name: 'rulesets',
  source: 'Exported rulesets of organizations and repositories, as JSON',
  keys: [
    { key: 'source', policy: 'organizations[]', note: 'And repositories[*].select.names[]' },
    ...rulesetTable('').filter(({ key }) => key !== 'source'),
    ...rulesetKeys.map((key) => ({
      key,
      value: 'of a repository',
      policy: `repositories[*].rulesets[*].${key}`,
    })),
  ],
  read(files, context) {
    const { lose } = context;
    const owned = files
      .flatMap(({ root }) => rulesetsIn(root))
      .flatMap((ruleset): OwnedRuleset[] => {
        const owner = ownerOf(ruleset, context);
        return owner ? [{ ruleset, ...owner }] : [];
      });
    const ofOrganizations = Map.groupBy(owned, ({ owner }) => owner);
    return [...ofOrganizations].map(([owner, own]): OrganizationDraft => {
      const ofRepositories = Map.groupBy(own, ({ name }) => name);
      const items = (ofRepositories.get(undefined) ?? []).map(({ ruleset }) => rulesetItem(ruleset, lose));
      const entries = [...ofRepositories].flatMap(([name, all]): EntryDraft[] => {
        const [first] = all;
        if (name === undefined || !first) return [];
        const head = ['select', placedAt({ names: [name] }, first.ruleset.place)] as const;
        return [{ head, isOverride: false, items: all.map(({ ruleset }) => rulesetItem(ruleset, lose)) }];
      });
      const { place } = (own[0] as OwnedRuleset).ruleset;
      return { organization: owner, place, items, entries };
    });
  },
};

interface OwnedRuleset {
  readonly ruleset: Placed;
  readonly owner: string;
  /** The repository; undefined for a ruleset of the organization. */
  readonly name: string | undefined;
}

const isRuleset = (part: Placed): boolean =>
  textOf(part, 'name') !== undefined && ['enforcement', 'rules'].some((key) => member(part, key) !== undefined);

/** Owners of rulesets in policies. Sources without a type leave it to flags. */
const sourceTypes: readonly unknown[] = [undefined, null, 'Organization', 'Repository'];

/** Returns the rulesets of a file, which has one or a list of them. */
const rulesetsIn = (root: Placed): readonly Placed[] => (Array.isArray(root.value) ? elements(root) : [root]);

/** Returns the owner of a ruleset; refuses a ruleset without one, and reports those that policies do not have. */
function ownerOf(
  ruleset: Placed,
  { organization, repository, lose, refuse }: ReadContext,
): Pick<OwnedRuleset, 'owner' | 'name'> | undefined {
  const source = sourceOf(ruleset, lose);
  const { owner = organization, name } = (source.owner ?? source.name) ? source : { name: repository };
  if (!isRuleset(ruleset)) refuse(ruleset, 'is not a ruleset, which has a name, an enforcement and rules');
  else if (textOf(ruleset, 'source_type') === 'Enterprise') lose(ruleset, 'Policies have no rulesets of enterprises');
  else if (!sourceTypes.includes(member(ruleset, 'source_type')?.value))
    lose(ruleset, 'source_type must be Organization or Repository');
  else if (owner === undefined) refuse(ruleset, noOrganization);
  else if (organization !== undefined && organization.toLowerCase() !== owner.toLowerCase())
    refuse(ruleset, `belongs to ${owner}, but --organization is ${organization}`);
  else if (repository !== undefined && repository.toLowerCase() !== name?.toLowerCase())
    refuse(ruleset, `belongs to ${name === undefined ? owner : `${owner}/${name}`}, but --repository is ${repository}`);
  else return { owner, name };
  return undefined;
}

/** Returns the organization and the repository that a ruleset names as its source. */
function sourceOf(ruleset: Placed, lose: Lose): { readonly owner?: string; readonly name?: string } {
  const part = member(ruleset, 'source');
  if (!part || part.value === null) return {};
  const [, owner, name] = (typeof part.value === 'string' && /^(?:([\w-]+)\/)?([\w.-]+)$/.exec(part.value)) || [];
  if (name === undefined) lose(part, 'must be ORG or OWNER/NAME');
  if (owner !== undefined || name === undefined || textOf(ruleset, 'source_type') === 'Repository')
    return { ...(owner !== undefined && { owner }), ...(name !== undefined && { name }) };
  return { owner: name };
}
