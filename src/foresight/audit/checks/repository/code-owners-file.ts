import { check, fail, pass, unreadable } from '../../check.ts';
import { effective, flagIn } from '../../effective-protection.ts';

export const codeOwnersFile = check({
  id: 'code-owners-file',
  scope: 'repository',
  severity: 'low',
  title: 'The file of code owners has no errors',
  description:
    'Lines with errors have no effect: the files that they cover have no owner. A repository that requires the approval of code owners, but has no such file, requires nothing.',
  documents: [
    'https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners',
  ],
  maps: { legitify: ['code_review_not_limited_to_code_owners'] },
  reads: ['repository', 'codeownersErrors'],
  mayRead: ['protection'],
  judge({ repository, codeownersErrors: errors, protection }, { target }) {
    const hint = `List the errors: forgectl repos codeowners-errors ${target}`;
    if (errors !== null) {
      if (errors.length === 0) return pass;
      return fail(
        `The file of code owners of ${target} has ${errors.length} error${errors.length === 1 ? '' : 's'}.`,
        errors.map(({ path, line, kind }) => ({ name: `${path}:${line}`, value: kind })),
        { hint },
      );
    }
    if ('unreadable' in protection) return unreadable(protection.unreadable);
    const branch = repository.default_branch ?? '';
    const required = effective(branch, protection.value, {
      types: ['pull_request'],
      isStrict: flagIn('require_code_owner_review'),
      onMerge: true,
    });
    if (required.status === 'unknown') return unreadable(required.missing);
    if (required.status === 'missing') return undefined;
    return fail(
      `${target} requires the approval of code owners, but has no file that names them.`,
      required.by.map(({ name }) => ({ name, value: 'requires the approval of code owners' })),
      { hint: 'Add a file CODEOWNERS to the default branch, in its root, docs or .github.' },
    );
  },
});
