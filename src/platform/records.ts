/**
 * The records that endpoints return. A field is optional if an edition, a token or a variant omits it; fields that no
 * command uses pass through unchanged.
 */

/** An account as embedded in other records: a user or an organization. */
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

/** A person or a bot in a list of members. */
export interface Member extends Actor {
  /** When an administrator suspended the account; absent where the platform does not show it. */
  suspended_at?: string | null;
}

/** A user with their public profile. */
export interface User extends Actor {
  name: string | null;
  email: string | null;
}

/** The owner of a token, from `GET /user`. */
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

/** An organization in full. Fields from `total_private_repos` on are visible to owners only. */
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

/** The policy of an organization on immutable releases. */
export interface ImmutableReleases {
  /** `all`, `none` or `selected`. */
  enforced_repositories: string;
  selected_repositories_url?: string;
}

/** A repository; its fields depend on the endpoint and the token's access. */
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
  permissions?: { admin?: boolean; maintain?: boolean; push?: boolean; triage?: boolean; pull?: boolean };
  /** In the repositories of a team, its role; `permissions` are the team’s there. */
  role_name?: string;
  temp_clone_token?: string | null;
  license?: { key?: string; name?: string; spdx_id?: string | null; url?: string | null; node_id?: string } | null;
  organization?: Actor | null;
  parent?: Repository;
  template_repository?: Repository | null;
  security_and_analysis?: Record<string, { status: string }> | null;
}

/** The definition of a custom property. */
export interface CustomProperty {
  property_name: string;
  url?: string;
  /** `organization` or `enterprise`. */
  source_type?: string;
  /** `string`, `single_select`, `multi_select` or `true_false`. */
  value_type: string;
  required?: boolean;
  default_value?: string | string[] | null;
  description?: string | null;
  allowed_values?: string[] | null;
  values_editable_by?: string | null;
}

/** A repository with the values of its custom properties. */
export interface RepositoryPropertyValues {
  repository_id: number;
  repository_name: string;
  repository_full_name: string;
  properties: PropertyValue[];
}

/** The value of a custom property; null if it is not set. */
export interface PropertyValue {
  property_name: string;
  value: string | string[] | null;
}

/** An event in an audit log. Its fields depend on its action. */
export interface AuditEvent {
  /** Milliseconds since the Unix epoch, as `created_at`. */
  '@timestamp'?: number;
  created_at?: number;
  _document_id?: string;
  action?: string;
  actor?: string;
  actor_id?: number;
  actor_location?: { country_name?: string };
  user?: string;
  team?: string;
  repo?: string;
  org?: string;
  org_id?: number;
  business?: string;
  business_id?: number;
  operation_type?: string;
  data?: Record<string, unknown>;
}

/** The topics of a repository. */
export interface RepositoryTopics {
  names: string[];
}

/** A repository with the role of a team in it. */
export interface TeamRepository {
  id: number;
  node_id: string;
  name: string;
  full_name: string;
  permissions?: RepositoryPermissions;
  role_name?: string;
}

/** A pending invitation of an outside collaborator. */
export interface RepositoryInvitation {
  id: number;
  node_id: string;
  repository: Repository;
  invitee: Actor | null;
  inviter: Actor | null;
  /** The role that it offers, such as `write`. */
  permissions: string;
  created_at: string;
  expired?: boolean;
  url: string;
  html_url: string;
}

interface RepositoryPermissions {
  pull: boolean;
  triage?: boolean;
  push: boolean;
  maintain?: boolean;
  admin: boolean;
}

/** Someone with access to a repository. */
export interface Collaborator extends Actor {
  permissions?: RepositoryPermissions;
  role_name?: string;
}

/** The highest role of a person in a repository. */
export interface CollaboratorPermission {
  /** `admin`, `write`, `read` or `none`. */
  permission: string;
  /** The name of the role, which may be a custom one. */
  role_name: string;
  user: Actor | null;
}

/** A team of an organization, without its parent. */
export interface TeamSummary {
  id: number;
  node_id: string;
  name: string;
  slug: string;
  description: string | null;
  privacy?: string;
  notification_setting?: string;
  permission: string;
  url: string;
  html_url: string;
  members_url: string;
  repositories_url: string;
  /** `organization` or `enterprise`. */
  type: string;
  organization_id?: number;
  /** The LDAP group that manages the members. */
  ldap_dn?: string;
}

/** A team of an organization; in a list of a repository's teams, with its permission there. */
export interface Team extends TeamSummary {
  permissions?: RepositoryPermissions;
  parent: TeamSummary | null;
}

/** Public platform, Full team: a team with its organization and counts. */
export interface FullTeam extends TeamSummary {
  parent?: TeamSummary | null;
  members_count: number;
  repos_count: number;
  created_at: string;
  updated_at: string;
  organization: Organization;
}

/** A ref change in a repository. Three fields have different names in the specification and on the public platform. */
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

/** A branch. */
export interface Branch {
  name: string;
  commit: Commit;
  _links: { html: string; self: string };
  /** True for branches that only rulesets protect, too. */
  protected: boolean;
  /** Of classic protection, what everyone may know who can read the branch: whether it is enabled, and its checks. */
  protection: BranchProtection;
  protection_url: string;
}

/** The classic protection of a branch. Rules that are off may be absent. */
export interface BranchProtection {
  url?: string;
  /** Only in a branch. */
  enabled?: boolean;
  required_status_checks?: {
    url?: string;
    /** `off`, `non_admins` or `everyone`. */
    enforcement_level?: string;
    strict?: boolean;
    contexts: string[];
    checks: { context: string; app_id: number | null }[];
    contexts_url?: string;
  };
  enforce_admins?: { url: string; enabled: boolean };
  required_pull_request_reviews?: {
    url?: string;
    dismissal_restrictions?: Partial<ProtectionActors>;
    bypass_pull_request_allowances?: Partial<ProtectionActors>;
    dismiss_stale_reviews: boolean;
    require_code_owner_reviews: boolean;
    required_approving_review_count?: number;
    require_last_push_approval?: boolean;
  };
  /** Who may push. */
  restrictions?: ProtectionActors & { url: string; users_url: string; teams_url: string; apps_url: string };
  required_linear_history?: { enabled?: boolean };
  required_signatures?: { url: string; enabled: boolean };
  allow_force_pushes?: { enabled?: boolean };
  allow_deletions?: { enabled?: boolean };
  block_creations?: { enabled?: boolean };
  required_conversation_resolution?: { enabled?: boolean };
  lock_branch?: { enabled?: boolean };
  allow_fork_syncing?: { enabled?: boolean };
}

interface ProtectionActors {
  users: Partial<Actor>[];
  teams: Team[];
  apps: ({ id?: number; slug?: string; name?: string } | null)[];
}

/** A contributor; without a linked account only name and email address are known. */
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

/** A label of issues and pull requests. */
export interface Label {
  id: number;
  node_id: string;
  url: string;
  name: string;
  description: string | null;
  /** Six hexadecimal digits. */
  color: string;
  /** True for the labels that the platform gives to new repositories. */
  default: boolean;
}

/** The sync status of a repository cache replica. */
export interface CacheReplica {
  host: string;
  location: string;
  git: { sync_status: string; last_sync: string | null };
}

/** A private registry, without its secret. */
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

/** The public key that seals an organization's secrets: 32 bytes in base64. */
export interface PublicKey {
  key_id: string;
  key: string;
}

/** The response of `GET /meta`; self-managed platforms include their version. */
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

/**
 * The account an app is installed on: a user, an organization, or an enterprise, which has a slug instead of a login.
 */
interface InstallationAccount extends Partial<Actor> {
  id: number;
  name?: string | null;
  slug?: string;
}

/** An installation of an app on an account. */
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

/** An app that acts on its own behalf, with the permissions that it requests. */
export interface App {
  id: number;
  slug?: string;
  node_id: string;
  client_id?: string;
  owner: Actor | null;
  name: string;
  description: string | null;
  external_url: string;
  html_url: string;
  created_at: string;
  updated_at: string;
  permissions: Record<string, string>;
  events: string[];
  installations_count?: number;
}

/** A token that acts for one installation of an app, for an hour. */
export interface InstallationToken {
  token: string;
  expires_at: string;
  permissions?: Record<string, string>;
  repository_selection?: string;
  /** Only if the token is limited to them. */
  repositories?: Repository[];
}

/** A member of a team or of its child teams. */
export interface TeamMember extends Member {
  role?: string;
  /** True for a member of a child team only. */
  inherited?: boolean;
}

/** Public platform, Organization membership. */
export interface OrganizationMembership {
  url: string;
  state: string;
  /** `admin` means owner. */
  role: string;
  organization_url: string;
  organization: OrganizationSummary;
  user: Actor | null;
}

/** Public platform, Team membership. */
export interface TeamMembership {
  url: string;
  role: string;
  /** `pending` until the person has joined the organization. */
  state: string;
}

/** A repository role that an organization has defined. */
export interface CustomRepositoryRole {
  id: number;
  name: string;
  description?: string | null;
  /** The system role that it inherits permissions from. */
  base_role: string;
  /** The permissions in addition to those of `base_role`. */
  permissions: string[];
  organization: Actor;
  created_at: string;
  updated_at: string;
}

/** A spending limit. Lists have the products in `budget_product_skus`, single records in `budget_product_sku`. */
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

/** The additional fields of a budget list filtered by user: the budget that applies to the user. */
export interface BudgetsOfUser {
  user?: string;
  effective_budget?: { id: string; budget_amount: number; consumed_amount: number };
}

/** The response to creating or updating a budget. */
export interface BudgetChange {
  message: string;
  budget: Budget;
}

/** The response to deleting a budget. */
export interface BudgetRemoval {
  message: string;
  id: string;
}

/** The effective setting of a pre-receive hook in a repository, an organization or the whole platform. */
export interface PreReceiveHook {
  id: number;
  name: string;
  enforcement: string;
  /** URL of the level where the effective enforcement is configured. */
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

/** A migration: an archive of repositories, in progress or finished. */
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
  /** Absent if excluded with `exclude`. */
  repositories?: Repository[];
  url: string;
  created_at: string;
  updated_at: string;
}

/** A ruleset in a list. `source` is the repository, organization or enterprise that owns it. */
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

/** A rule of a ruleset; its parameters depend on its type. */
export interface RulesetRule {
  type: string;
  parameters?: Record<string, unknown>;
}

export interface BypassActor {
  actor_id?: number | null;
  actor_type: string;
  bypass_mode?: string;
}

/** A ruleset in full. Bypass actors are visible only to users who may change the ruleset. */
export interface Ruleset extends RulesetSummary {
  bypass_actors?: BypassActor[];
  conditions?: Record<string, unknown> | null;
  rules?: RulesetRule[];
  current_user_can_bypass?: string;
}

/** An active rule of a branch with its ruleset. */
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

/** A version of a ruleset, with the ruleset's state at that time. */
export interface RulesetVersionState extends RulesetVersion {
  state: Record<string, unknown>;
}

/** The rule result of a push: `result` for enforced rules, `evaluation_result` for rules that are only evaluated. */
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

/** A rule suite with the result of each rule. */
export interface RuleSuiteEvaluations extends RuleSuite {
  rule_evaluations: {
    rule_source?: { type: string; id?: number | null; name?: string | null };
    enforcement: string;
    result: string;
    rule_type: string;
    details?: string | null;
  }[];
}

/** The result of a submitted dependency snapshot: SUCCESS, ACCEPTED, or INVALID despite the 201. */
export interface SnapshotResult {
  id: number;
  created_at: string;
  message: string;
  result: string;
}

/** A package version that a comparison of two commits adds or removes. */
export interface DependencyChange {
  change_type: string;
  manifest: string;
  ecosystem: string;
  name: string;
  version: string;
  package_url: string | null;
  license: string | null;
  source_repository_url: string | null;
  vulnerabilities: DependencyVulnerability[];
  scope: string;
}

export interface DependencyVulnerability {
  severity: string;
  advisory_ghsa_id: string;
  advisory_summary: string;
  advisory_url: string;
}

/** A software bill of materials in SPDX 2.3. */
export interface SpdxDocument {
  SPDXID: string;
  spdxVersion: string;
  comment?: string;
  creationInfo: { created: string; creators: string[] };
  name: string;
  dataLicense: string;
  documentNamespace: string;
  packages: SpdxPackage[];
  relationships?: { relationshipType: string; spdxElementId: string; relatedSpdxElement: string }[];
}

export interface SpdxPackage {
  SPDXID: string;
  name: string;
  versionInfo: string;
  downloadLocation: string;
  filesAnalyzed: boolean;
  licenseConcluded?: string;
  licenseDeclared?: string;
  supplier?: string;
  copyrightText?: string;
  externalRefs?: { referenceCategory: string; referenceLocator: string; referenceType: string }[];
}

export interface Commit {
  sha: string;
}

/** A commit read by itself. */
export interface CommitDetails extends Commit {
  /** Git’s own part. Some versions do not verify signatures. */
  commit: { message: string; verification?: { verified: boolean; reason: string } };
}

/** A run of a check for a commit. */
export interface CheckRun {
  id: number;
  name: string;
  head_sha: string;
  status: string;
  /** Null until the run is completed. */
  conclusion: string | null;
  app: { id: number } | null;
}

/** The latest status of a context for a commit. */
export interface CommitStatus {
  id: number;
  context: string;
  /** `error`, `failure`, `pending` or `success`. */
  state: string;
}

export interface Deployment {
  id: number;
  sha: string;
  environment: string;
}

export interface DeploymentStatus {
  id: number;
  /** `success`, for example; `inactive` once a later deployment has taken its place. */
  state: string;
}

/** A comment on a commit. The media type determines which of the three bodies are present. */
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

/** A request for review; `T` is the type of one item under review, `Name` of the full name of its repository. */
interface ReviewRequest<T, Name extends string | null = string> {
  id: number;
  number: number;
  repository: { id?: number | null; name?: string | null; full_name: Name };
  organization: { id?: number | null; name?: string | null };
  requester: RequestActor;
  request_type: string;
  data: T[] | null;
  resource_identifier: string | null;
  status: string;
  requester_comment: string | null;
  expires_at: string;
  created_at: string;
  /** Null in the response to a creation. */
  responses:
    | { id: number; reviewer: RequestActor; message?: string | null; status: string; created_at: string }[]
    | null;
  url: string;
  /** May be absent in the response to a creation. */
  html_url?: string;
}

/** `request_type` is `dependabot_alert_dismissal`, or `dependabot_alert_closure` in the response to a creation. */
export type DismissalRequest = ReviewRequest<{ reason: string; alert_number: string; alert_title: string }>;

export interface DismissalReview {
  dismissal_review_id: number;
}

/** A request to bypass secret-scanning push protection. */
export type BypassRequest = ReviewRequest<{
  secret_type: string;
  bypass_reason: string;
  /** File and position. */
  path: string;
  /** Full ref. */
  branch: string;
}>;

/** A request to bypass the push rules of a ruleset. */
export type PushRuleBypassRequest = ReviewRequest<
  {
    ruleset_id: number;
    ruleset_name: string;
    rule_type: string;
    total_violations: number;
  },
  string | null
>;

export interface BypassReview {
  bypass_review_id: number;
}

/** A view of a project. */
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
  /** Field IDs, each with `asc` or `desc`. */
  sort_by: [number, string][];
  group_by: number[];
  vertical_group_by: number[];
}

/** Some editions return the view itself, others wrap it. */
export type ProjectViewAnswer = ProjectView | { readonly value: ProjectView };
