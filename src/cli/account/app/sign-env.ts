/** The environment of a sign command: what programs need to run, and the variables selected by the user. */
import { passedTo, picked } from '../../program-env.ts';

/** The part of the environment that a sign command gets. */
export interface SignEnv {
  readonly passed: NodeJS.ProcessEnv;
  /** Names of the other variables, in alphabetical order. */
  readonly withheld: readonly string[];
}

/**
 * Returns the environment of a sign command.
 *
 * @param named variables that are passed, too
 * @param platform as in `process.platform`; on Windows, the case of names does not matter
 */
export function signEnv(env: NodeJS.ProcessEnv, named: readonly string[], platform: NodeJS.Platform): SignEnv {
  const passed = picked(env, passedTo(named, platform));
  // A variable may be called like a method of objects.
  const withheld = Object.keys(env).filter((name) => !Object.hasOwn(passed, name) || passed[name] === undefined);
  return { passed, withheld: withheld.toSorted() };
}

/** Returns the names of variables in a comma-separated list; undefined if one cannot be a name. */
export function signEnvNamesIn(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every(isVariableName) ? names : undefined;
}

/** Returns whether a setting is a list of variable names. */
export const areSignEnvNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string' && isVariableName(name));

/** Windows has names such as `ProgramFiles(x86)`. */
const isVariableName = (name: string) => /^[A-Za-z_][\w()]*$/.test(name);

/** What a list of names must be, worded to follow its source. */
export const signEnvProblem =
  'must be names of environment variables, such as VAULT_TOKEN; separate several with commas';
