/** A saved plan, as policy plan --out writes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfPlan } from '../../src/fleet/policy/planning/digest.ts';
import { planText } from '../../src/fleet/policy/planning/plan-file.ts';

/** Writes `plan.ndjson`, which loosens a setting of acme. */
export function writePlan(directory: string): void {
  const plan = {
    plan: 2,
    platform: 'https://ghe.example.com/api/v3',
    identity: 'admin',
    organizations: ['acme'],
    policy_digest: '0'.repeat(64),
    changes: [
      {
        action: 'update',
        kind: 'settings',
        target: 'acme',
        organization_id: 101,
        name: '',
        source: 'acme.yaml:2',
        effect: 'loosens',
        changes: [{ path: 'default_repository_permission', from: 'none', to: 'read' }],
        before: { default_repository_permission: 'none' },
        body: { default_repository_permission: 'read' },
      },
    ],
    summary: { create: 0, update: 1, delete: 0, unchanged: 0, skipped: 0, unreadable: 0 },
  } as const;
  writeFileSync(join(directory, 'plan.ndjson'), planText({ ...plan, digest: digestOfPlan(plan) }));
}
