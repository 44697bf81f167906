/** Lockfiles by their names. Each parser is loaded with the first file that needs it. */
import type { Parse } from './dependency-graph.ts';

export interface LockfileFormat {
  readonly name: string;
  /** Matches the name of the file, without its folder. */
  readonly file: RegExp;
  load(): Promise<Parse>;
}

export const lockfileFormats: readonly LockfileFormat[] = [
  {
    name: 'npm',
    file: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    load: async () => (await import('./npm.ts')).parseNpm,
  },
  {
    name: 'yarn',
    file: /^yarn\.lock$/,
    load: async () => (await import('./yarn.ts')).parseYarn,
  },
  {
    name: 'pnpm',
    file: /^pnpm-lock\.yaml$/,
    load: async () => (await import('./pnpm.ts')).parsePnpm,
  },
  {
    name: 'bun',
    file: /^bun\.lock$/,
    load: async () => (await import('./bun.ts')).parseBun,
  },
];

/** Formats of software bills of materials, which are told apart by their content. */
export type ParseSbom = (document: unknown) => ReturnType<Parse>;

/** Returns the format of a lockfile; undefined if the name is none of a lockfile. */
export function lockfileFormat(path: string): LockfileFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return lockfileFormats.find(({ file }) => file.test(name));
}
