/**
 * Platforms and tokens of other programs in the environment: `GITHUB_API_URL` with `GITHUB_TOKEN` in CI jobs, `GH_HOST`
 * with `GH_ENTERPRISE_TOKEN` or `GH_TOKEN` for `gh`. Each token is bound to its platform, as both programs document.
 */
import { normalizeBaseUrl } from '../../client/platform.ts';
import type { tokenVariables } from '../secret-variables.ts';

/**
 * Variables that select a platform, in order of precedence: users set `GH_HOST`, CI runners set the others in every
 * job.
 */
export const ambientHosts = ['GH_HOST', 'GITHUB_API_URL'] as const;

export interface AmbientToken {
  readonly variable: (typeof tokenVariables)[number];
  readonly token: string;
  /** The only origin that may receive the token; absent if no variable names one. */
  readonly origin: string | undefined;
  /** The platform as a clause after the variable's name: `belongs to …`. */
  readonly belongs: string;
}

/** Returns the tokens of other programs in the environment, in order of precedence. */
export function ambientTokens(env: NodeJS.ProcessEnv): AmbientToken[] {
  const enterprise = env.GH_ENTERPRISE_TOKEN ? 'GH_ENTERPRISE_TOKEN' : 'GITHUB_ENTERPRISE_TOKEN';
  const homes = [
    ['GH_TOKEN', hostedHome(env)],
    [enterprise, selfManagedHome(env)],
    ['GITHUB_TOKEN', homeIn(env, 'GITHUB_API_URL')],
  ] as const;
  return homes.flatMap(([variable, home]) => {
    const token = env[variable];
    return token ? [{ variable, token, ...home }] : [];
  });
}

type Home = Pick<AmbientToken, 'origin' | 'belongs'>;

/** `GH_TOKEN` is valid only for the hosted platforms; without `GH_HOST`, for the public one. */
function hostedHome(env: NodeJS.ProcessEnv): Home {
  if (!env.GH_HOST)
    return { origin: 'https://api.github.com', belongs: 'belongs to github.com because GH_HOST is not set' };
  const home = homeIn(env, 'GH_HOST');
  if (home.origin === undefined || isHosted(home.origin)) return home;
  return { origin: undefined, belongs: 'applies only to hosted platforms, but GH_HOST is a self-managed one' };
}

/** `GH_ENTERPRISE_TOKEN` is for all other platforms. */
function selfManagedHome(env: NodeJS.ProcessEnv): Home {
  const home = homeIn(env, 'GH_HOST');
  if (home.origin === undefined || !isHosted(home.origin)) return home;
  return { origin: undefined, belongs: 'applies only to self-managed platforms, but GH_HOST is a hosted one' };
}

function homeIn(env: NodeJS.ProcessEnv, variable: (typeof ambientHosts)[number]): Home {
  const host = env[variable];
  if (!host) return { origin: undefined, belongs: `belongs to no platform because ${variable} is not set` };
  try {
    const { origin } = new URL(normalizeBaseUrl(host));
    return { origin, belongs: `belongs to ${origin} (from ${variable})` };
  } catch {
    // If that host is the platform in use, resolving the connection reports the error.
    return { origin: undefined, belongs: `belongs to no platform because ${variable} is not a valid host` };
  }
}

const isHosted = (origin: string) => /^https:\/\/api\.(github|[a-z0-9-]+\.ghe)\.com$/.test(origin);
