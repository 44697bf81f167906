/** What a check is: data, and a pure function that judges facts. */
import type { Given } from '../../platform/validate.ts';
import type { Fact } from './fact.ts';
import type { ReadingName, Scope, ValueOf } from './readings.ts';

export type { Fact };

/** Most severe first. */
export const severities = ['high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** The IDs of checks of other tools that judge the same. */
export interface Maps {
  /** Names of policies of Legitify. */
  readonly legitify?: readonly string[];
  /** Names of controls or benchmarks of Steampipe’s compliance modules. */
  readonly steampipe?: readonly string[];
  /** Names of checks of Scorecard. */
  readonly scorecard?: readonly string[];
}

/** A number that audit.yaml can change. */
export interface Threshold {
  readonly default: number;
  /** Minimum value. */
  readonly least: number;
  /** A noun phrase, as descriptions of flags. */
  readonly description: string;
}

/** What a check has found, as a name and its value: `{ name: 'octo', value: 'admin' }`. */
export interface Evidence {
  readonly name: string;
  readonly value?: string | number | boolean | null;
  /** A page of the platform. */
  readonly url?: string;
}

/** How to mend a finding. Without a command and a policy there is a hint. */
export interface Fix {
  /** The arguments of a command line: `['orgs', 'update', 'acme', …]`. */
  readonly command?: readonly string[];
  /** A policy document that declares the wanted state, with `organizations` or `enterprise`. */
  readonly policy?: Given;
  /** What to do where the platform has no endpoint, as a sentence. */
  readonly hint?: string;
}

/** When a state began, and where that comes from. */
export interface Since {
  /** ISO 8601. */
  readonly time: string;
  readonly source: 'ruleset history' | 'audit log' | 'record';
}

export interface Failure {
  readonly status: 'fail';
  /** A sentence with the names and numbers that decide. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly fix: Fix;
  /** The object of the target, for a check that judges several: the name of a ruleset, for example. */
  readonly object?: string;
  readonly since?: Since;
  /** In place of that of the check. */
  readonly severity?: Severity;
}

/** `unreadable` names the permission or the feature that is missing; it is never a pass. */
export type Verdict =
  | Failure
  | { readonly status: 'pass'; readonly object?: string }
  | { readonly status: 'unreadable'; readonly message: string; readonly object?: string };

export const pass: Verdict = { status: 'pass' };

export const fail = (
  message: string,
  evidence: readonly Evidence[],
  fix: Fix,
  others: Pick<Failure, 'object' | 'since' | 'severity'> = {},
): Failure => ({ status: 'fail', message, evidence, fix, ...others });

export const unreadable = (message: string, object?: string): Verdict => ({
  status: 'unreadable',
  message,
  ...(object !== undefined && { object }),
});

/** The most closed first. */
export const visibilities = ['private', 'internal', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** The widest visibility that custom properties of a repository allow, by name and value. */
export type VisibilityLimits = { readonly [property: string]: { readonly [value: string]: Visibility } };

export interface Context {
  /** `acme`, `acme/site` or `enterprise:sandbox`. */
  readonly target: string;
  /** The login of the organization, or the slug of the enterprise. */
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Those of audit.yaml. */
  readonly visibilityLimits?: VisibilityLimits;
}

/** What every check has. */
interface Description {
  /** In words of the platform: `two-factor-required`. */
  readonly id: string;
  readonly scope: Scope;
  readonly severity: Severity;
  /** The wanted state, as a statement without a full stop: `Two-factor authentication is required`. */
  readonly title: string;
  /** Why it matters, and what is judged: one to three sentences. */
  readonly description: string;
  /** Pages of the platform’s documentation. */
  readonly documents: readonly string[];
  readonly maps: Maps;
  readonly thresholds?: Readonly<Record<string, Threshold>>;
}

/**
 * A check of one organization, repository or enterprise. `reads` and `mayRead` name readings of the scope; checks of
 * repositories also read those of the organization, which are read once.
 */
export interface Check extends Description {
  /** If one of them cannot be read, the check is unreadable. */
  readonly reads: readonly string[];
  /** Readings that the check can judge without; they come as facts. */
  readonly mayRead: readonly string[];
  /** Returns the verdict on a target, on each of its objects, or undefined if the check does not apply. */
  judge(facts: Given, context: Context, thresholds: Readonly<Record<string, number>>): Verdicts;
}

export type Verdicts = Verdict | readonly Verdict[] | undefined;

type FactsOf<S extends Scope, R extends ReadingName<S>, M extends ReadingName<S>> = {
  readonly [K in R]: ValueOf<S, K>;
} & { readonly [K in M]: Fact<ValueOf<S, K>> };

interface Declaration<
  S extends Scope,
  R extends ReadingName<S>,
  M extends ReadingName<S>,
  T extends Readonly<Record<string, Threshold>>,
> extends Description {
  readonly scope: S;
  readonly reads: readonly R[];
  readonly mayRead?: readonly M[];
  readonly thresholds?: T;
  judge(facts: FactsOf<S, R, M>, context: Context, thresholds: { readonly [K in keyof T]: number }): Verdicts;
}

/** Declares a check. */
export const check = <
  const S extends Scope,
  const R extends ReadingName<S>,
  const M extends ReadingName<S> = never,
  const T extends Readonly<Record<string, Threshold>> = Record<never, Threshold>,
>(
  declaration: Declaration<S, R, M, T>,
): Check => ({ mayRead: [], ...declaration }) as unknown as Check;
