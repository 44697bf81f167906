/**
 * The records that endpoints answer with. A member is optional where an edition, a token or a variant leaves it out; a
 * member that no command reads by name is still passed on untouched.
 */

/** An account as other records name it: a user or an organization. */
export interface Actor {
  login: string;
  id: number;
  node_id: string;
  avatar_url: string;
  gravatar_id?: string | null;
  url: string;
  html_url: string;
  followers_url: string;
  following_url: string;
  gists_url: string;
  starred_url: string;
  subscriptions_url: string;
  organizations_url: string;
  repos_url: string;
  events_url: string;
  received_events_url: string;
  type: string;
  site_admin: boolean;
}

/** A user with their public profile. */
export interface User extends Actor {
  name: string | null;
  email: string | null;
}

/** The owner of a token, as `GET /user` answers. */
export interface AuthenticatedUser extends User {}

export interface OrganizationSummary {
  login: string;
  id: number;
  node_id: string;
  url: string;
  repos_url: string;
  events_url: string;
  hooks_url: string;
  issues_url: string;
  members_url: string;
  public_members_url: string;
  avatar_url: string;
  description: string | null;
}

/** An organization in full. Members from `total_private_repos` on are there for owners only. */
export interface Organization extends OrganizationSummary {
  name?: string | null;
  company?: string | null;
  blog?: string | null;
  location?: string | null;
  email?: string | null;
  twitter_username?: string | null;
  is_verified?: boolean;
  has_organization_projects: boolean;
  has_repository_projects: boolean;
  public_repos: number;
  public_gists: number;
  followers: number;
  following: number;
  html_url: string;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  type: string;
  total_private_repos?: number;
  owned_private_repos?: number;
  private_gists?: number | null;
  disk_usage?: number | null;
  collaborators?: number | null;
  billing_email?: string | null;
  plan?: { name: string; space: number; private_repos: number; filled_seats?: number; seats?: number };
  default_repository_permission?: string | null;
  default_repository_branch?: string | null;
  members_can_create_repositories?: boolean | null;
  members_can_create_public_repositories?: boolean;
  members_can_create_private_repositories?: boolean;
  members_can_create_internal_repositories?: boolean;
  members_allowed_repository_creation_type?: string;
  members_can_create_pages?: boolean;
  members_can_create_public_pages?: boolean;
  members_can_create_private_pages?: boolean;
  members_can_delete_repositories?: boolean;
  members_can_change_repo_visibility?: boolean;
  members_can_invite_outside_collaborators?: boolean;
  members_can_delete_issues?: boolean;
  members_can_create_teams?: boolean;
  members_can_view_dependency_insights?: boolean;
  members_can_fork_private_repositories?: boolean | null;
  display_commenter_full_name_setting_enabled?: boolean;
  readers_can_create_discussions?: boolean;
  web_commit_signoff_required?: boolean;
  two_factor_requirement_enabled?: boolean | null;
  deploy_keys_enabled_for_repositories?: boolean;
  dependency_graph_enabled_for_new_repositories?: boolean;
  dependabot_alerts_enabled_for_new_repositories?: boolean;
  dependabot_security_updates_enabled_for_new_repositories?: boolean;
  advanced_security_enabled_for_new_repositories?: boolean;
  secret_scanning_enabled_for_new_repositories?: boolean;
  secret_scanning_push_protection_enabled_for_new_repositories?: boolean;
  secret_scanning_push_protection_custom_link_enabled?: boolean;
  secret_scanning_validity_checks_enabled?: boolean;
  secret_scanning_push_protection_custom_link?: string | null;
}

/** A repository; which members are there depends on the endpoint and on what the token may see. */
export interface Repository {
  id: number;
  node_id: string;
  name: string;
  full_name: string;
  owner: Actor;
  html_url: string;
  url: string;
  description: string | null;
  homepage?: string | null;
  language?: string | null;
  mirror_url?: string | null;
  git_url?: string;
  ssh_url?: string;
  clone_url?: string;
  svn_url?: string;
  private: boolean;
  fork: boolean;
  is_template?: boolean;
  archived?: boolean;
  disabled?: boolean;
  has_issues?: boolean;
  has_projects?: boolean;
  has_wiki?: boolean;
  has_pages?: boolean;
  has_downloads?: boolean;
  has_discussions?: boolean;
  allow_rebase_merge?: boolean;
  allow_squash_merge?: boolean;
  allow_merge_commit?: boolean;
  allow_auto_merge?: boolean;
  allow_forking?: boolean;
  delete_branch_on_merge?: boolean;
  forks_count?: number;
  forks?: number;
  stargazers_count?: number;
  watchers_count?: number;
  watchers?: number;
  size?: number;
  open_issues_count?: number;
  open_issues?: number;
  subscribers_count?: number;
  network_count?: number;
  default_branch?: string;
  topics?: string[];
  visibility?: string;
  pushed_at?: string | null;
  created_at?: string | null;
  updated_at?: string | null;
  permissions?: { admin?: boolean; push?: boolean; pull?: boolean };
  temp_clone_token?: string | null;
  license?: { key?: string; name?: string; spdx_id?: string | null; url?: string | null; node_id?: string } | null;
  organization?: Actor | null;
  parent?: Repository;
  template_repository?: Repository | null;
  security_and_analysis?: Record<string, { status: string }> | null;
}

/** One change to a repository's refs. The specification and the public platform name three members differently. */
export interface Activity {
  id: number;
  node_id: string;
  before: string;
  after: string;
  ref: string;
  pushed_at?: string;
  push_type?: string;
  pusher?: Actor | null;
  timestamp?: string;
  activity_type?: string;
  actor?: Actor | null;
}

/** Someone who committed; without a linked account only a name and an email address are known. */
export interface Contributor extends Partial<Actor> {
  contributions: number;
  name?: string;
  email?: string;
}

export interface CodeownersError {
  line: number;
  column: number;
  kind: string;
  source?: string;
  suggestion?: string | null;
  message: string;
  path: string;
}

export interface AutomatedSecurityFixes {
  enabled: boolean;
  paused: boolean;
}

/** How far one replica of the repository cache is behind. */
export interface CacheReplica {
  host: string;
  location: string;
  git: { sync_status: string; last_sync: string | null };
}

/** A private registry as the platform tells it: never with its secret. */
export interface PrivateRegistry {
  name: string;
  registry_type: string;
  auth_type?: string;
  url?: string;
  username?: string | null;
  replaces_base?: boolean;
  visibility: string;
  selected_repository_ids?: number[];
  created_at: string;
  updated_at: string;
}

/** The key that secrets for an organization are sealed with: 32 bytes, in base64. */
export interface PublicKey {
  key_id: string;
  key: string;
}

/** `GET /meta`; self-managed platforms tell their version. */
export interface Meta {
  installed_version?: string;
}

export interface RateLimitQuota {
  limit: number;
  remaining: number;
  /** Epoch seconds. */
  reset: number;
  used?: number;
}

export interface RateLimits {
  resources: { core: RateLimitQuota } & Record<string, RateLimitQuota>;
  rate: RateLimitQuota;
}

/** What an app is installed on: a user, an organization, or an enterprise, which has a slug in place of a login. */
interface InstallationAccount extends Partial<Actor> {
  id: number;
  name?: string | null;
  slug?: string;
}

/** An app's installation on an account. */
export interface Installation {
  id: number;
  account: InstallationAccount | null;
  access_tokens_url: string;
  repositories_url: string;
  html_url: string;
  app_id: number;
  app_slug: string;
  target_id: number;
  target_type: string;
  permissions: Record<string, string>;
  events: string[];
  single_file_name: string | null;
  has_multiple_single_files?: boolean;
  single_file_paths?: string[];
  repository_selection: string;
  created_at: string;
  updated_at: string;
  suspended_at: string | null;
  suspended_by: Actor | null;
}

/** A limit on spending. Lists name its products in `budget_product_skus`, single records in `budget_product_sku`. */
export interface Budget {
  id: string;
  budget_type: string;
  budget_product_sku?: string;
  budget_product_skus?: string[];
  budget_scope: string;
  budget_entity_name?: string;
  budget_amount: number;
  prevent_further_usage: boolean;
  budget_alerting?: { will_alert: boolean; alert_recipients: string[] };
  /** @asType number */
  consumed_amount?: number;
  user?: string;
}

/** What a list of budgets holds beside them when it was asked about a user: which budget holds for that user. */
export interface BudgetsOfUser {
  user?: string;
  effective_budget?: { id: string; budget_amount: number; consumed_amount: number };
}

/** What creating or changing a budget answers. */
export interface BudgetChange {
  message: string;
  budget: Budget;
}

/** What deleting a budget answers. */
export interface BudgetRemoval {
  message: string;
  id: string;
}

/** A pre-receive hook as it holds for a repository, an organization or the whole platform. */
export interface PreReceiveHook {
  id: number;
  name: string;
  enforcement: string;
  /** Where the enforcement that holds is configured. */
  configuration_url?: string;
  allow_downstream_configuration?: boolean;
  script?: string;
  script_repository?: { id?: number; full_name?: string; url?: string; html_url?: string };
  environment?: {
    id?: number;
    name?: string;
    image_url?: string;
    url?: string;
    html_url?: string;
    default_environment?: boolean;
    created_at?: string;
    hooks_count?: number;
    download?: { url?: string; state?: string; downloaded_at?: string | null; message?: string | null };
  };
}

/** An archive of repositories in the making, or made. */
export interface Migration {
  id: number;
  node_id: string;
  owner: Actor | null;
  guid: string;
  /** `pending`, `exporting`, `exported` or `failed`. */
  state: string;
  lock_repositories: boolean;
  exclude_metadata?: boolean;
  exclude_git_data?: boolean;
  exclude_attachments: boolean;
  exclude_releases: boolean;
  exclude_owner_projects: boolean;
  org_metadata_only?: boolean;
  /** Absent where `exclude` left it out. */
  repositories?: Repository[];
  url: string;
  created_at: string;
  updated_at: string;
}

/** A ruleset in a list. `source` is the repository, organization or enterprise that it belongs to. */
export interface RulesetSummary {
  id: number;
  name: string;
  target?: string;
  source_type?: string;
  source: string;
  enforcement: string;
  node_id?: string;
  _links?: { self?: { href?: string }; html?: { href?: string } | null };
  created_at?: string;
  updated_at?: string;
}

/** A rule of a ruleset; which parameters it has depends on its type. */
export interface RulesetRule {
  type: string;
  parameters?: Record<string, unknown>;
}

export interface BypassActor {
  actor_id?: number | null;
  actor_type: string;
  bypass_mode?: string;
}

/** A ruleset with its parts. Bypass actors are there only for those who may change it. */
export interface Ruleset extends RulesetSummary {
  bypass_actors?: BypassActor[];
  conditions?: Record<string, unknown> | null;
  rules?: RulesetRule[];
  current_user_can_bypass?: string;
}

/** An active rule as it applies to a branch, with the ruleset that it comes from. */
export interface AppliedRule extends RulesetRule {
  ruleset_source_type?: string;
  ruleset_source?: string;
  ruleset_id?: number;
}

export interface RulesetVersion {
  version_id: number;
  actor: { id?: number; type?: string };
  updated_at: string;
}

/** A version of a ruleset with the ruleset as it was. */
export interface RulesetVersionState extends RulesetVersion {
  state: Record<string, unknown>;
}

/** How one push fared with the rules: `result` with those enforced, `evaluation_result` with those only evaluated. */
export interface RuleSuite {
  id: number;
  actor_id?: number | null;
  actor_name?: string | null;
  before_sha?: string;
  after_sha?: string;
  ref: string;
  repository_id?: number;
  repository_name?: string;
  pushed_at: string;
  result: string;
  evaluation_result?: string | null;
}

/** A rule suite with how each rule judged the push. */
export interface RuleSuiteEvaluations extends RuleSuite {
  rule_evaluations: {
    rule_source?: { type: string; id?: number | null; name?: string | null };
    enforcement: string;
    result: string;
    rule_type: string;
    details?: string | null;
  }[];
}

/** What became of a dependency snapshot: SUCCESS, ACCEPTED, or INVALID although the answer is a 201. */
export interface SnapshotResult {
  id: number;
  created_at: string;
  message: string;
  result: string;
}

export interface Commit {
  sha: string;
}

/** A comment on a commit. Which of the three bodies are there depends on the media type that was asked for. */
export interface CommitComment {
  html_url: string;
  url: string;
  id: number;
  node_id: string;
  body?: string;
  body_text?: string;
  body_html?: string;
  path: string | null;
  position: number | null;
  line: number | null;
  commit_id: string;
  user: Actor | null;
  created_at: string;
  updated_at: string;
  author_association: string;
}

interface RequestActor {
  actor_id: number;
  actor_name: string;
}

/** A request that somebody else decides on; `T` is one thing that it is about. */
interface ReviewRequest<T> {
  id: number;
  number: number;
  repository: { id?: number | null; name?: string | null; full_name: string };
  organization: { id?: number | null; name?: string | null };
  requester: RequestActor;
  request_type: string;
  data: T[] | null;
  resource_identifier: string | null;
  status: string;
  requester_comment: string | null;
  expires_at: string;
  created_at: string;
  /** Null on an answer to a creation. */
  responses:
    | { id: number; reviewer: RequestActor; message?: string | null; status: string; created_at: string }[]
    | null;
  url: string;
  /** May be absent on an answer to a creation. */
  html_url?: string;
}

/** `request_type` is `dependabot_alert_dismissal`, or `dependabot_alert_closure` on an answer to a creation. */
export type DismissalRequest = ReviewRequest<{ reason: string; alert_number: string; alert_title: string }>;

export interface DismissalReview {
  dismissal_review_id: number;
}

/** A request to push a secret past push protection. */
export type BypassRequest = ReviewRequest<{
  secret_type: string;
  bypass_reason: string;
  /** File and position. */
  path: string;
  /** Full ref. */
  branch: string;
}>;

/** A request to push what the push rules of a ruleset forbid. */
export type PushRuleBypassRequest = ReviewRequest<{
  ruleset_id: number;
  ruleset_name: string;
  rule_type: string;
  total_violations: number;
}>;

export interface BypassReview {
  bypass_review_id: number;
}

/** One way of looking at a project. */
export interface ProjectView {
  id: number;
  number: number;
  name: string;
  layout: string;
  node_id: string;
  project_url: string;
  html_url: string;
  creator: Actor;
  created_at: string;
  updated_at: string;
  filter?: string | null;
  visible_fields: number[];
  /** Field ids, each with `asc` or `desc`. */
  sort_by: [number, string][];
  group_by: number[];
  vertical_group_by: number[];
}

/** Some editions answer the view itself, others wrap it. */
export type ProjectViewAnswer = ProjectView | { readonly value: ProjectView };
