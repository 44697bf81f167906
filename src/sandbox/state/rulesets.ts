/** Rulesets of organizations and repositories, their versions, and the branches they apply to. */
import type * as v from 'valibot';
import type { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import type { BypassActor, RulesetRule } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { isLax, isStrict } from '../seed/postures.ts';
import type { Collection } from '../store.ts';
import { isoSeconds } from './accounts.ts';
import { fnmatch } from './fnmatch.ts';
import type { RepositoryState, SettingsOwner } from './repositories.ts';

type Body = v.InferInput<(typeof createOrganizationRuleset)['body']>;
export type RulesetFields = Partial<Body>;
type Conditions = NonNullable<Body['conditions']>;

export interface RulesetState {
  readonly id: number;
  readonly name: string;
  readonly target: string;
  readonly enforcement: string;
  readonly bypass_actors: readonly BypassActor[];
  readonly conditions: Conditions;
  readonly rules: readonly RulesetRule[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A version of a ruleset, valid from `updated_at` on. */
export interface VersionState {
  readonly version_id: number;
  readonly actor: { readonly id: number; readonly type: string };
  readonly updated_at: string;
  readonly state: RulesetState;
}

export function rulesetsOf(platform: SandboxPlatform, owner: SettingsOwner): Collection<RulesetState> {
  return platform.store.collection<RulesetState>('rulesets', scopeOf(owner), () =>
    organizationOf(platform, owner)?.isEmpty
      ? []
      : seededRulesets(owner).map((ruleset) => [ruleset.id, lately(platform, ruleset)] as const),
  );
}

const organizationOf = ({ accounts }: SandboxPlatform, { organization, repository }: SettingsOwner) =>
  organization ?? accounts.organizationById(repository.owner_id);

/** The ruleset that somebody loosened was changed shortly before the start. */
const lately = ({ started }: SandboxPlatform, ruleset: RulesetState): RulesetState =>
  ruleset.name === loosenedRuleset.name ? { ...ruleset, updated_at: isoSeconds(started - 5 * day) } : ruleset;

/** Newest last. The first version of a seeded ruleset was only evaluated; that of the loosened one was stricter. */
export function versionsOf(platform: SandboxPlatform, ruleset: RulesetState): Collection<VersionState> {
  return platform.store.collection<VersionState>('ruleset versions', ruleset.id, () => {
    if (ruleset.id >= firstCreatedId) return [];
    const earlier =
      ruleset.name === loosenedRuleset.name
        ? { rules: [...ruleset.rules, { type: 'deletion' }], bypass_actors: [] }
        : { enforcement: 'evaluate' };
    const first = { ...ruleset, ...earlier, updated_at: ruleset.created_at };
    return [first, ruleset].map((state, place) => {
      const version_id = ruleset.id * 10 + place + 1;
      return [version_id, { version_id, actor: { id: 1, type: 'User' }, updated_at: state.updated_at, state }] as const;
    });
  });
}

export const nextRulesetId = ({ store }: SandboxPlatform): number => store.next('rulesets', firstCreatedId);

/** Stores a ruleset and its current version. */
export function keep(
  platform: SandboxPlatform,
  owner: SettingsOwner,
  ruleset: RulesetState,
  actor: VersionState['actor'],
): void {
  const versions = versionsOf(platform, ruleset);
  const version_id = platform.store.next('ruleset versions', 10 * firstCreatedId);
  versions.set(version_id, { version_id, actor, updated_at: ruleset.updated_at, state: ruleset });
  rulesetsOf(platform, owner).set(ruleset.id, ruleset);
}

/** Returns the rulesets of an organization that apply to one of its repositories. */
export function inheritedBy(platform: SandboxPlatform, repository: RepositoryState): RulesetState[] {
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (!organization) return [];
  const rulesets = rulesetsOf(platform, { organization }).values();
  return rulesets.filter(({ conditions }) => coversRepository(conditions, repository));
}

/** Returns the rulesets of a repository: its own, then those of its organization. */
export const rulesetsFor = (platform: SandboxPlatform, repository: RepositoryState): RulesetState[] => [
  ...rulesetsOf(platform, { repository }).values(),
  ...inheritedBy(platform, repository),
];

export function coversRepository(conditions: Conditions, repository: RepositoryState): boolean {
  const { repository_name: byName, repository_id: byId, repository_property: byProperty } = conditions;
  if (byId) return byId.repository_ids?.includes(repository.id) ?? false;
  if (byName) return matchesAny(byName.include, repository.name) && !matchesAny(byName.exclude, repository.name);
  if (byProperty) {
    const holds = (property: Record<string, unknown>) => hasProperty(repository, property);
    const { include = [], exclude = [] } = byProperty;
    // Public platform, description of the condition: all that are included must match, and none that is excluded.
    return include.length > 0 && include.every(holds) && !exclude.some(holds);
  }
  return true;
}

const matchesAny = (patterns: readonly string[] | undefined, name: string): boolean =>
  (patterns ?? []).some((pattern) => pattern === '~ALL' || fnmatch(pattern.toLowerCase(), name.toLowerCase()));

function hasProperty(
  { custom_properties }: RepositoryState,
  { name, property_values: values }: Record<string, unknown>,
) {
  const value = new Map(Object.entries(custom_properties)).get(String(name));
  return Array.isArray(values) && [value].flat().some((each) => values.includes(each));
}

/** Whether a ruleset applies to a branch. Patterns match whole refs. */
export function coversBranch(
  { conditions }: RulesetState,
  { default_branch }: RepositoryState,
  branch: string,
): boolean {
  const matches = (pattern: string): boolean => {
    if (pattern === '~ALL') return true;
    if (pattern === '~DEFAULT_BRANCH') return branch === default_branch;
    return fnmatch(pattern, `refs/heads/${branch}`);
  };
  const { include = [], exclude = [] } = conditions.ref_name ?? {};
  return include.some(matches) && !exclude.some(matches);
}

const firstCreatedId = 900_000_000;
const day = 24 * 60 * 60 * 1000;

const scopeOf = ({ organization, repository }: SettingsOwner): string =>
  organization ? `organization ${organization.id}` : `repository ${repository.id}`;

/** Every organization has three rulesets, and the `site` of each has two of its own. The fifth organization has more. */
export function seededRulesets({ organization, repository }: SettingsOwner): RulesetState[] {
  if (organization) {
    const [defaultBranches, ...others] = organizationRulesets;
    const first = isStrict(organization) ? { ...defaultBranches, ...strictProtection } : defaultBranches;
    const all = [first, ...others, ...(isLax(organization) ? furtherRulesets : [])];
    return all.map((ruleset, place) => dated(ruleset, 10_000_000 + organization.id * 10 + place));
  }
  if (repository.name !== 'site') return [];
  return repositoryRulesets.map((ruleset, place) => dated(ruleset, 20_000_000 + repository.id * 10 + place));
}

type Undated = Omit<RulesetState, 'id' | 'created_at' | 'updated_at'>;

const dated = (ruleset: Undated, id: number): RulesetState => ({
  ...ruleset,
  id,
  created_at: isoSeconds(Date.UTC(2024, 1, 1 + (id % 20))),
  updated_at: isoSeconds(Date.UTC(2024, 5, 1 + (id % 20))),
});

const everyRepository = { repository_name: { include: ['~ALL'], exclude: [] } };
const administrators = [{ actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' }];

const pullRequest = {
  type: 'pull_request',
  parameters: {
    allowed_merge_methods: ['merge', 'squash', 'rebase'],
    dismiss_stale_reviews_on_push: true,
    require_code_owner_review: true,
    require_last_push_approval: false,
    required_approving_review_count: 1,
    required_review_thread_resolution: false,
  },
};

/** How the fourth organization protects default branches. */
const strictProtection: Pick<Undated, 'bypass_actors' | 'rules'> = {
  bypass_actors: [],
  rules: [
    { type: 'deletion' },
    { type: 'non_fast_forward' },
    { type: 'required_linear_history' },
    { type: 'required_signatures' },
    {
      type: 'pull_request',
      parameters: {
        ...pullRequest.parameters,
        require_last_push_approval: true,
        required_review_thread_resolution: true,
      },
    },
    {
      type: 'required_status_checks',
      parameters: {
        required_status_checks: [{ context: 'build' }],
        strict_required_status_checks_policy: true,
      },
    },
  ],
};

const organizationRulesets: readonly [Undated, ...Undated[]] = [
  {
    name: 'Default branches',
    target: 'branch',
    enforcement: 'active',
    bypass_actors: administrators,
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] }, ...everyRepository },
    rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }, pullRequest],
  },
  {
    name: 'Version tags',
    target: 'tag',
    enforcement: 'evaluate',
    bypass_actors: [],
    conditions: { ref_name: { include: ['refs/tags/v*'], exclude: [] }, ...everyRepository },
    rules: [{ type: 'update', parameters: { update_allows_fetch_and_merge: false } }, { type: 'required_signatures' }],
  },
  {
    name: 'No binaries',
    target: 'push',
    enforcement: 'active',
    bypass_actors: administrators,
    conditions: everyRepository,
    rules: [{ type: 'file_extension_restriction', parameters: { restricted_file_extensions: ['*.exe', '*.jar'] } }],
  },
];

/** Everyone who can write may bypass it; deletions were blocked, too, until lately. */
const loosenedRuleset: Undated = {
  name: 'Release tags',
  target: 'tag',
  enforcement: 'active',
  bypass_actors: [
    { actor_id: 4, actor_type: 'RepositoryRole', bypass_mode: 'always' },
    { actor_id: 999, actor_type: 'Team', bypass_mode: 'always' },
  ],
  conditions: { ref_name: { include: ['refs/tags/release-*'], exclude: [] }, ...everyRepository },
  rules: [{ type: 'non_fast_forward' }],
};

const furtherRulesets: readonly Undated[] = [
  {
    name: 'Stable releases',
    target: 'branch',
    enforcement: 'active',
    bypass_actors: [{ actor_id: 3, actor_type: 'User', bypass_mode: 'always' }],
    conditions: { ref_name: { include: ['refs/heads/release/**/*'], exclude: [] }, ...everyRepository },
    rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }],
  },
  {
    name: 'Branch names',
    target: 'branch',
    enforcement: 'evaluate',
    bypass_actors: administrators,
    conditions: { ref_name: { include: ['~ALL'], exclude: ['refs/heads/release/**/*'] }, ...everyRepository },
    rules: [
      {
        type: 'branch_name_pattern',
        parameters: {
          name: 'Prefix',
          negate: false,
          operator: 'regex',
          pattern: '^(main|trunk|develop|(feature|fix|deps)/[a-z0-9._-]+)$',
        },
      },
    ],
  },
  {
    name: 'Signed commits',
    target: 'branch',
    enforcement: 'disabled',
    bypass_actors: administrators,
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] }, ...everyRepository },
    rules: [{ type: 'required_signatures' }],
  },
  loosenedRuleset,
  {
    name: 'Retired services',
    target: 'branch',
    enforcement: 'active',
    bypass_actors: [],
    conditions: {
      ref_name: { include: ['~ALL'], exclude: [] },
      repository_name: { include: ['retired-*'], exclude: [] },
    },
    rules: [{ type: 'update' }],
  },
];

const repositoryRulesets: readonly Undated[] = [
  {
    name: 'Release branches',
    target: 'branch',
    enforcement: 'active',
    bypass_actors: [],
    conditions: { ref_name: { include: ['refs/heads/release/*'], exclude: ['refs/heads/release/old'] } },
    rules: [
      { type: 'creation' },
      {
        type: 'commit_message_pattern',
        parameters: { name: 'Ticket', negate: false, operator: 'regex', pattern: '^[A-Z]+-\\d+: ' },
      },
    ],
  },
  {
    name: 'Linear history on trial',
    target: 'branch',
    enforcement: 'evaluate',
    bypass_actors: [],
    conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
    rules: [{ type: 'required_linear_history' }],
  },
];
