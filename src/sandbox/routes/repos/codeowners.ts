import type { CodeownersError } from '../../../platform/records.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { notFound } from '../../refusals.ts';
import { isStrict } from '../../seed/postures.ts';
import { refExists } from '../../state/git.ts';
import type { RepositoryState } from '../../state/repositories.ts';

const path = '.github/CODEOWNERS';

/** Every `site` has a file with two errors; of the others, some have a clean file and some none: 404. */
export function codeownersErrors(
  platform: SandboxPlatform,
  repository: RepositoryState,
  ref?: string,
): CodeownersError[] {
  if (ref !== undefined && !refExists(platform, repository, ref)) throw notFound();
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (organization && isStrict(organization)) return [];
  if (repository.name === 'site') return seededErrors;
  if (repository.size === 0 || platform.chance('codeowners', repository.id) < 0.4) throw notFound();
  return [];
}

const seededErrors: CodeownersError[] = [
  {
    line: 3,
    column: 1,
    kind: 'Invalid pattern',
    source: '***/*.rb @riverotter',
    suggestion: 'Did you mean `**/*.rb`?',
    message: `Invalid pattern on line 3: Did you mean \`**/*.rb\`?\n\n  ***/*.rb @riverotter\n  ^`,
    path,
  },
  {
    line: 7,
    column: 7,
    kind: 'Invalid owner',
    source: '*.txt docs@',
    suggestion: null,
    message: 'Invalid owner on line 7:\n\n  *.txt docs@\n        ^',
    path,
  },
];
