/** Finds the token for the requests of a run. Each token belongs to one origin and is sent nowhere else. */
import { tokenProblem } from '../../client/credential.ts';
import { UsageError } from '../errors.ts';
import { type AmbientToken, ambientTokens } from './ambient.ts';
import type { Credentials, SourcedCredential } from './credentials.ts';
import type { NamedProfile } from './settings.ts';

/** What is given for this run. */
interface Given {
  /** The base URL of `--base-url`. */
  readonly flag: string | undefined;
  /** `FORGECTL_BASE_URL`. */
  readonly exported: string | undefined;
  readonly shard?: { readonly index: number } | undefined;
}

interface Found {
  readonly credential?: SourcedCredential;
  readonly ignoredTokens: readonly string[];
}

/** A token that may be used, and how a notice describes it if another one is used. */
interface Candidate {
  /** Its name at the start of a sentence. */
  readonly name: string;
  /** The platform it belongs to, worded to follow the name. */
  readonly belongs: string;
  readonly origin: string | undefined;
  /** Returns the token, or the reason why it is unavailable; called only for the chosen candidate. */
  readonly take: () => Promise<SourcedCredential | string> | SourcedCredential | string;
}

/**
 * Returns the first token that belongs to an origin. `FORGECTL_TOKEN` takes precedence over `FORGECTL_TOKEN_FILE`, that
 * over `FORGECTL_APP_ID`, that over the profile's token, and that over tokens of other programs. A token is sent only to the origin that it belongs
 * to:
 *
 * - `FORGECTL_TOKEN`, the token in `FORGECTL_TOKEN_FILE`, and the tokens of the app in `FORGECTL_APP_ID`, to that of `FORGECTL_BASE_URL`; see
 *   `homeOfOwnToken` for runs without it.
 * - A stored token to the origin that it was verified against at login, whatever base URL is in use now. If that origin
 *   matches and the token is missing, no other token replaces it: the run would act as someone else.
 * - A token of another program to the platform that its pair names.
 *
 * If no token belongs to the origin, there is no credential.
 */
export async function findToken(
  origin: string,
  given: Given,
  env: NodeJS.ProcessEnv,
  inUse: NamedProfile | undefined,
  credentials: Credentials,
): Promise<Found> {
  const candidates = [
    ...ownToken(origin, given, env, inUse),
    ...ownTokenFile(origin, given, env, inUse),
    ...ownApp(origin, given, env, inUse),
    ...storedToken(inUse, env, credentials),
    ...ambientTokens(env).map(candidateOf),
  ];
  const chosen = candidates.find((candidate) => candidate.origin === origin);
  const others = candidates
    .filter((candidate) => candidate !== chosen)
    .map((other) =>
      other.origin === origin
        ? `Ignored ${lowerCase(other.name)}: ${lowerCase(chosen?.name ?? '')} takes precedence.`
        : `${other.name} ${other.belongs}; not sent to ${origin}.`,
    );
  const taken = await chosen?.take();
  if (typeof taken === 'object') return { credential: taken, ignoredTokens: others };
  return { ignoredTokens: taken === undefined ? others : [taken, ...others] };
}

const lowerCase = (name: string) => name.replace(/^The /, 'the ');

function ownToken(origin: string, given: Given, env: NodeJS.ProcessEnv, inUse: NamedProfile | undefined): Candidate[] {
  const token = env.FORGECTL_TOKEN;
  if (!token) return [];
  const home = homeOfOwnToken('FORGECTL_TOKEN', origin, given, inUse);
  const belongs = `belongs to ${home} (from FORGECTL_BASE_URL)`;
  return [candidateOf({ variable: 'FORGECTL_TOKEN', token, origin: home, belongs })];
}

function ownTokenFile(
  origin: string,
  given: Given,
  env: NodeJS.ProcessEnv,
  inUse: NamedProfile | undefined,
): Candidate[] {
  const file = env.FORGECTL_TOKEN_FILE;
  if (!file) return [];
  const variable = 'FORGECTL_TOKEN_FILE';
  const home = homeOfOwnToken(variable, origin, given, inUse);
  const take = async () => {
    const { readTokenFile } = await import('./token-file.ts');
    return { ...readTokenFile(file, given.shard), origin: home, source: 'environment', variable } as const;
  };
  return [{ name: variable, belongs: `belongs to ${home} (from FORGECTL_BASE_URL)`, origin: home, take }];
}

function ownApp(origin: string, given: Given, env: NodeJS.ProcessEnv, inUse: NamedProfile | undefined): Candidate[] {
  if (!env.FORGECTL_APP_ID) return [];
  const variable = 'FORGECTL_APP_ID';
  const home = homeOfOwnToken(variable, origin, given, inUse);
  const take = async () => {
    const { appOfEnvironment } = await import('./app/login.ts');
    return { app: await appOfEnvironment(env), origin: home, source: 'environment', variable } as const;
  };
  return [{ name: variable, belongs: `belongs to ${home} (from FORGECTL_BASE_URL)`, origin: home, take }];
}

/**
 * Without `FORGECTL_BASE_URL`, a token in the environment belongs to the platform of `--base-url` on the same command
 * line, or to that of a profile without a token. Throws UsageError if the profile has its own token, or if another
 * program's variables select the platform.
 */
function homeOfOwnToken(
  variable: string,
  origin: string,
  { flag, exported }: Given,
  inUse: NamedProfile | undefined,
): string {
  if (exported !== undefined) return new URL(exported).origin;
  if (flag !== undefined) return origin;
  const { 'base-url': baseUrl, token } = inUse?.profile ?? {};
  if (token)
    throw new UsageError(
      `${variable} is set without FORGECTL_BASE_URL, but profile ${inUse?.name} has its own token: set FORGECTL_BASE_URL or unset ${variable}.`,
    );
  if (baseUrl !== undefined) return origin;
  throw new UsageError(
    `${variable} is set without FORGECTL_BASE_URL: set FORGECTL_BASE_URL too, for example to ${origin}.`,
  );
}

function candidateOf({ variable, token, origin, belongs }: AmbientToken): Candidate {
  const take = () => {
    const problem = tokenProblem(token);
    if (problem) throw new UsageError(`${variable} ${problem}.`);
    return { token, origin: origin ?? '', source: 'environment', variable } as const;
  };
  return { name: variable, belongs, origin, take };
}

function storedToken(inUse: NamedProfile | undefined, env: NodeJS.ProcessEnv, credentials: Credentials): Candidate[] {
  const record = inUse?.profile.token;
  if (!record) return [];
  const { origin, storage, app } = record;
  const name = `The ${app ? 'private key' : 'token'} of profile ${inUse.name}`;
  const take = async () => {
    if (app && (app['private-key-file'] ?? app['sign-command']) !== undefined) {
      const { appOfProfile } = await import('./app/login.ts');
      return { app: await appOfProfile(app, env), origin, source: storage };
    }
    const token = await credentials.read({ profile: inUse.name, origin }, storage);
    const place = storage === 'keyring' ? 'the system keyring' : 'the credentials file';
    if (token === undefined) return `${name} is no longer in ${place}.`;
    if (!app) {
      const problem = tokenProblem(token);
      if (problem)
        throw new UsageError(
          `${name} in ${place} ${problem}.`,
          `Log in again: forgectl auth login --profile ${inUse.name}`,
        );
      return { token, origin, source: storage };
    }
    const { appOfProfile } = await import('./app/login.ts');
    return { app: await appOfProfile(app, env, token), origin, source: storage };
  };
  return [{ name, belongs: `belongs to ${origin}`, origin, take }];
}
