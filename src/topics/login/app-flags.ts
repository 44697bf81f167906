/** The flags that log in as an app, and those that limit its tokens. */
import type { InferredFlags } from '@oclif/core/interfaces';
import { appIdProblem } from '../../cli/account/app/id.ts';
import { signEnvNamesIn, signEnvProblem } from '../../cli/account/app/sign-env.ts';
import { signWordsIn, signWordsProblem } from '../../cli/account/app/sign-words.ts';
import type { AppRecord } from '../../cli/account/settings.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag } from '../../cli/input/flags.ts';
import { BadValue, listOfNames, plainName, wholeNumber } from '../../cli/input/values.ts';
import { invalid, missing, type Problem } from '../../platform/validate.ts';

function appId(text: string): string {
  const problem = appIdProblem(text);
  if (problem) throw new BadValue(problem);
  return text;
}

function signEnvNames(list: string): readonly string[] {
  const names = signEnvNamesIn(list);
  if (!names) throw new BadValue(signEnvProblem);
  return names;
}

function signWords(json: string): readonly string[] {
  const words = signWordsIn(json);
  if (!words) throw new BadValue(signWordsProblem);
  return words;
}

/** Public platform, Create an installation access token for an app. */
const levels = ['read', 'write', 'admin'];

/** Parses `contents=read,issues=write`. Throws BadValue. */
function permissionsIn(text: string): Record<string, string> {
  const pairs = listOfNames(text).map((pair) => {
    const [, name, level] = /^([a-z_]+)=([a-z]+)$/.exec(pair) ?? [];
    if (!name || !level) throw new BadValue('must be NAME=LEVEL, such as contents=read; separate several with commas');
    if (!levels.includes(level)) throw new BadValue(`must have one of the levels ${levels.join(', ')}, not “${level}”`);
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
  'app-sign-command': valueFlag('--app-sign-command', signWords, {
    helpValue: 'JSON',
    description: 'Program that signs instead of a private key, as a JSON array with its arguments',
  }),
  'app-sign-env': valueFlag('--app-sign-env', signEnvNames, {
    helpValue: 'NAME,…',
    description: 'Environment variables to pass to the program in addition to PATH, HOME and the like',
  }),
  installation: valueFlag('--installation', wholeNumber(1), {
    helpValue: 'ID',
    description: 'ID of the installation (default: that of the organization in the command)',
  }),
  organization: valueFlag('--organization', plainName, {
    helpValue: 'ORG',
    description: 'Organization whose installation to use, instead of --installation',
  }),
  ...narrowingFlags,
};

type Given = Partial<InferredFlags<typeof appLoginFlags>> & { readonly 'with-token'?: boolean };

/** Returns the app login given by flags; undefined without one. Records problems. */
export function appLoginIn(flags: Given, problems: Problem[]): AppRecord | undefined {
  const { 'app-id': id, 'private-key-file': file, 'app-sign-command': command, 'app-sign-env': signEnv } = flags;
  const { installation, organization, permissions, repositories } = flags;
  const names = Object.keys(appLoginFlags) as (keyof typeof appLoginFlags)[];
  if (names.every((name) => flags[name] === undefined)) return undefined;
  if (id === undefined) problems.push(missing('--app-id', 'is required to log in as an app'));
  if (file === undefined && command === undefined)
    problems.push(missing('--private-key-file', 'is required to log in as an app, unless --app-sign-command is given'));
  if (file !== undefined && command !== undefined)
    problems.push(invalid('--private-key-file and --app-sign-command', 'cannot be used together'));
  if (signEnv !== undefined && command === undefined)
    problems.push(missing('--app-sign-command', 'is required with --app-sign-env'));
  if (installation !== undefined && organization !== undefined)
    problems.push(invalid('--installation and --organization', 'cannot be used together'));
  if (flags['with-token']) problems.push(invalid('--with-token and --app-id', 'cannot be used together'));
  return {
    id: id ?? '',
    installation: installation === undefined ? organization : String(installation),
    'private-key-file': file,
    'sign-command': command,
    'sign-env': signEnv,
    permissions,
    repositories,
  };
}
