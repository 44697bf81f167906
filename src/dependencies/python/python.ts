/** Shared by the lockfiles of Python. */
import { gitUrl, packageUrl, publicUrl, registryUrl } from '../source-url.ts';

/** Returns a name as PyPI compares names. https://packaging.python.org/en/latest/specifications/name-normalization/ */
export const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Where a package comes from, if not from PyPI. */
export interface PythonSource {
  /** URL of the index. */
  readonly index?: string | undefined;
  readonly git?: string | undefined;
  readonly revision?: string | undefined;
  readonly folder?: string | undefined;
  /** URL of an archive. */
  readonly archive?: string | undefined;
}

/** Returns the canonical package URL. Throws ParseError. */
export function pythonPurl(
  name: string,
  version: string | undefined,
  source: PythonSource = {},
  line?: number,
): string {
  const { index, git, revision, folder, archive } = source;
  return packageUrl(
    {
      type: 'pypi',
      name,
      version,
      qualifiers: {
        repository_url: registryUrl(index, [
          'https://pypi.org/simple',
          'https://pypi.python.org/simple',
          'https://pypi.org',
        ]),
        vcs_url: git && gitUrl(git, revision, folder),
        download_url: archive && publicUrl(archive),
      },
    },
    line,
  );
}

/** Returns the name of a requirement such as `requests[socks] (>=2.32,<3.0) ; python_version < "3.12"`. */
export const requirementName = (requirement: string): string | undefined =>
  /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)/.exec(requirement)?.[1];
