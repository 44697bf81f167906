/** The flags that log in as an app, and those that limit its tokens. */
import { appIdProblem } from '../cli/account/app-id.ts';
import type { GivenAppLogin } from '../cli/account/app-login.ts';
import { fileOnly } from '../cli/input/file-flags.ts';
import { textFlag, valueFlag } from '../cli/input/flags.ts';
import { BadValue, listOfNames, plainName, wholeNumber } from '../cli/input/values.ts';
import { invalid, missing, type Problem } from '../platform/validate.ts';

function appId(text: string): string {
  const problem = appIdProblem(text);
  if (problem) throw new BadValue(problem);
  return text;
}

/** Parses `contents=read,issues=write`. Throws BadValue. */
function permissionsIn(text: string): Record<string, string> {
  const pairs = listOfNames(text).map((pair) => {
    const [, name, level] = /^([a-z_]+)=([a-z]+)$/.exec(pair) ?? [];
    if (!name || !level) throw new BadValue('must be NAME=LEVEL, such as contents=read; separate several with commas');
    return [name, level] as const;
  });
  return Object.fromEntries(pairs);
}

/** Flags that limit a token. */
export const narrowingFlags = {
  permissions: valueFlag('--permissions', permissionsIn, {
    helpValue: 'NAME=LEVEL,…',
    description: 'Permissions of the token, such as contents=read (default: all of the installation)',
  }),
  repositories: valueFlag('--repositories', listOfNames, {
    helpValue: 'NAME,…',
    description: 'Repositories that the token can access, without the owner (default: all of the installation)',
  }),
};

export const appLoginFlags = {
  'app-id': valueFlag('--app-id', appId, { helpValue: 'ID', description: 'Log in as the app with this ID' }),
  'private-key-file': textFlag('--private-key-file', {
    ...fileOnly,
    description: 'Private key of the app in PEM format, not encrypted',
  }),
  installation: valueFlag('--installation', wholeNumber(1), {
    helpValue: 'ID',
    description: 'Installation of the app (default: the one of the organization that a command names)',
  }),
  organization: valueFlag('--organization', plainName, {
    helpValue: 'ORG',
    description: 'Organization whose installation to use, instead of --installation',
  }),
  ...narrowingFlags,
};

export type AppLoginFlags = GivenAppLogin;

type Given = {
  readonly [K in Exclude<keyof typeof appLoginFlags, 'permissions' | 'repositories' | 'installation'>]?:
    | string
    | undefined;
} & {
  readonly installation?: number | undefined;
  readonly permissions?: Record<string, string> | undefined;
  readonly repositories?: string[] | undefined;
  readonly 'with-token'?: boolean;
};

/** Returns the login that flags name; undefined if they name none. Records problems. */
export function appLoginIn(flags: Given, problems: Problem[]): GivenAppLogin | undefined {
  const { 'app-id': id, 'private-key-file': file, installation, organization, permissions, repositories } = flags;
  const names = Object.keys(appLoginFlags) as (keyof typeof appLoginFlags)[];
  if (names.every((name) => flags[name] === undefined)) return undefined;
  if (id === undefined) problems.push(missing('--app-id', 'is required to log in as an app'));
  if (file === undefined) problems.push(missing('--private-key-file', 'is required to log in as an app'));
  if (installation !== undefined && organization !== undefined)
    problems.push(invalid('--installation and --organization', 'cannot be used together'));
  if (flags['with-token']) problems.push(invalid('--with-token and --app-id', 'cannot be used together'));
  return {
    id: id ?? '',
    installation: installation === undefined ? organization : String(installation),
    'private-key-file': file ?? '',
    permissions,
    repositories,
  };
}
