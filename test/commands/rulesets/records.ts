/** Rulesets as the platform tells them. */
export const summary = {
  id: 42,
  name: 'protect-main',
  target: 'branch',
  source_type: 'Repository',
  source: 'acme/site',
  enforcement: 'active',
  node_id: 'RRS_lACkVXNlcgQB',
  _links: {
    self: { href: 'https://git.example.com/api/v3/repos/acme/site/rulesets/42' },
    html: { href: 'https://git.example.com/acme/site/rules/42' },
  },
  created_at: '2026-01-01T12:00:00Z',
  updated_at: '2026-02-27T12:00:00Z',
};

export const parts = {
  bypass_actors: [{ actor_id: 7, actor_type: 'Team', bypass_mode: 'always' }],
  conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
  rules: [
    { type: 'deletion' },
    { type: 'commit_message_pattern', parameters: { operator: 'starts_with', pattern: 'fix', negate: false } },
  ],
};

export const ruleset = { ...summary, ...parts, current_user_can_bypass: 'never' };

export const ofOrganization = { ...summary, id: 9, source_type: 'Organization', source: 'acme' };

export const notFound = { status: 404, body: { message: 'Not Found', documentation_url: 'https://docs.example.com' } };
