/** Checks of a single security feature of a repository. */
import { type Check, check, fail, pass, unreadable } from './check.ts';
import { repositoryPolicy } from './fixes.ts';
import type { AuditedRepository } from './readings.ts';

interface FeatureCheck extends Pick<Check, 'id' | 'severity' | 'title' | 'description' | 'documents' | 'maps'> {
  /** Its name in `security_and_analysis`. */
  readonly feature: string;
  /** A clause: “Secret scanning is off”. */
  readonly off: string;
  /** How to turn it on, if not as a setting. */
  readonly fix?: (repository: AuditedRepository) => ReturnType<typeof settingFix>;
}

export const repositorySecurity = ({ feature, off, fix, ...declaration }: FeatureCheck): Check =>
  check({
    ...declaration,
    scope: 'repository',
    reads: ['repository'],
    judge({ repository }, { target }) {
      const status = repository.security_and_analysis?.[feature]?.status;
      if (status === undefined)
        return unreadable(
          `GET /orgs/{org}/repos does not return ${feature}: only administrators see it, and platforms without the feature omit it`,
        );
      if (status === 'enabled') return pass;
      const mended = fix?.(repository) ?? settingFix(target, feature);
      return fail(`${off} in ${target}.`, [{ name: feature, value: status, url: repository.html_url }], mended);
    },
  });

function settingFix(target: string, feature: string) {
  const setting = { [feature]: { status: 'enabled' } };
  return {
    command: ['repos', 'update', target, '--security-and-analysis', JSON.stringify(setting)],
    policy: repositoryPolicy(target, { settings: { security_and_analysis: setting } }),
  };
}
