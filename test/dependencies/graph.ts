import type { Companions, LockManifest, Package } from '../../src/dependencies/dependency-graph.ts';
import { lockfileFormat } from '../../src/dependencies/formats.ts';

/** Parses a lockfile as the command does, with the files beside it. */
export async function parse(
  name: string,
  text: string,
  files: Readonly<Record<string, string>> = {},
): Promise<readonly LockManifest[]> {
  const companions: Companions = {
    read: (path) => files[path],
    glob: (pattern) => {
      const matches = new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`);
      return Object.keys(files).filter((path) => matches.test(path));
    },
  };
  const format = lockfileFormat(name);
  if (format === undefined) throw new Error(`No parser for ${name}`);
  return (await format.load(name.slice(name.lastIndexOf('/') + 1)))(text, companions);
}

/** A line for each package: `purl relationship scope → dependencies`, after the workspace if there is one. */
export function lines(manifests: readonly LockManifest[]): string[] {
  return manifests.flatMap(({ workspace, packages }) =>
    [...packages.values()].map((each) => `${workspace === undefined ? '' : `${workspace}: `}${line(each)}`),
  );
}

const line = ({ purl, relationship, scope, dependencies }: Package): string =>
  [purl, relationship ?? '?', scope ?? '?', ...(dependencies.length > 0 ? ['→', ...dependencies] : [])].join(' ');
