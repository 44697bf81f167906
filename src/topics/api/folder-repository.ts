/** The repository of a directory according to its git remotes, for the placeholders of `api`. */
import { UsageError } from '../../cli/errors.ts';
import { type RepoName, readRepoName } from '../../cli/input/args.ts';
import { addressOf, isOn } from '../../cli/input/repository-url.ts';
import { BadValue } from '../../cli/input/values.ts';
import { gitEnv } from '../../cli/program-env.ts';
import { checkoutAt, type Remote, remotesOf } from '../../git/checkout.ts';
import { fromGit } from '../snapshots/from-git.ts';
import { placeholder } from './placeholders.ts';

type Name = 'owner' | 'repo' | 'branch';

interface Folder {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  readonly baseUrl: string;
}

/** Returns text with its placeholders replaced. Throws UsageError for a folder without a repository of the platform. */
export async function filled(text: string, folder: Folder, encoded = (value: string) => value): Promise<string> {
  const names = [...text.matchAll(placeholder)].map(([, name, older]) => (name ?? older) as Name);
  const values = new Map<Name, string>();
  for (const name of new Set(names))
    values.set(name, name === 'branch' ? await branchOf(folder) : (await repositoryOf(folder))[name]);
  return text.replace(placeholder, (_, name?: Name, older?: Name) =>
    encoded(values.get((name ?? older) as Name) ?? ''),
  );
}

/** Like `gh`, prefers the remotes upstream, github and origin, in this order. */
const preferred = ['upstream', 'github', 'origin'];

/** Returns the remotes that are on a platform, with their repositories, in order of preference. */
export function remotesOn(baseUrl: string, remotes: readonly Remote[]): (RepoName & { readonly name: string })[] {
  const rank = (name: string) => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length);
  const sorted = remotes.toSorted((one, other) => rank(one.name) - rank(other.name));
  return sorted.flatMap(({ name, url }) => {
    const named = repositoryAt(url, baseUrl);
    return named ? [{ name, ...named }] : [];
  });
}

async function repositoryOf({ path, env, baseUrl }: Folder): Promise<RepoName> {
  const [remote] = remotesOn(baseUrl, await fromGit('.', remotesOf(path, gitEnv(env))));
  if (remote) return remote;
  throw new UsageError(
    `No git remote of this folder is on ${new URL(baseUrl).host}, so {owner} and {repo} have no value. Nothing was sent.`,
    'Write the names instead, or choose the platform with --profile or --base-url.',
  );
}

/** Returns the repository at an address of the platform; undefined for any other address. */
function repositoryAt(url: string, baseUrl: string): RepoName | undefined {
  const address = addressOf(url);
  if (!address || !isOn(baseUrl, address)) return undefined;
  try {
    return readRepoName(address.path);
  } catch (error) {
    if (error instanceof BadValue) return undefined;
    throw error;
  }
}

async function branchOf({ path, env }: Folder): Promise<string> {
  const ref = (await fromGit('.', checkoutAt(path, gitEnv(env))))?.ref;
  if (ref?.startsWith('refs/heads/')) return ref.slice('refs/heads/'.length);
  throw new UsageError('No branch is checked out in this folder, so {branch} has no value. Nothing was sent.');
}
