import { check, fail, pass, unreadable, type Verdict } from '../../check.ts';
import { daysSince } from '../../periods.ts';

export const lockedMigrations = check({
  id: 'locked-migrations',
  scope: 'organization',
  severity: 'low',
  title: 'No repository is left locked by a migration',
  description:
    'A migration that locks repositories does not unlock them when it ends. The platform does not show whether they are locked: lists those that nobody has pushed to since.',
  documents: ['https://docs.github.com/en/enterprise-server@latest/rest/migrations/orgs'],
  maps: {},
  thresholds: { days: { default: 7, least: 1, description: 'Maximum number of days after the migration' } },
  reads: ['migrations', 'repositories'],
  judge({ migrations, repositories }, { owner, now }, { days }) {
    const pushes = new Map(repositories.map(({ id, pushed_at: at }) => [id, at]));
    const ended = migrations.filter(
      ({ lock_repositories: locks, state, created_at: at }) =>
        locks !== false && (state === 'exported' || state === 'failed') && !(daysSince(at, now) <= days),
    );
    const found = ended.flatMap((migration): Verdict[] => {
      const { id, created_at: at, state, repositories: migrated } = migration;
      if (migration.lock_repositories === undefined || at === undefined || migrated === undefined)
        return [
          unreadable('the platform does not return which repositories the migration locked, or when', String(id)),
        ];
      const quiet = migrated.filter((each) => {
        const pushed = pushes.get(each.id);
        return pushes.has(each.id) && !(pushed && Date.parse(pushed) > Date.parse(at));
      });
      if (quiet.length === 0) return [];
      const [{ name } = { name: 'NAME' }, ...others] = quiet;
      return [
        fail(
          `Migration ${id} of ${owner} (${state}) locked repositories that nobody has pushed to since: ${quiet.map(({ full_name: full }) => full).join(', ')}.`,
          quiet.map(({ full_name: full, html_url: url }) => ({ name: full, value: 'may be locked', url })),
          {
            command: ['api', `/orgs/${owner}/migrations/${id}/repos/${name}/lock`, '--method', 'DELETE'],
            hint: `${others.length > 0 ? 'Repeat the command for each of the other repositories. ' : ''}The platform does not show locks: the finding remains until somebody pushes or the repository is deleted.`,
          },
          { object: String(id), since: { time: at, source: 'record' } },
        ),
      ];
    });
    return found.length > 0 ? found : pass;
  },
});
