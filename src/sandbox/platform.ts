/** Everything a route works with: the settings of this sandbox and its state. */
import { type Grant, Tokens } from './callers.ts';
import { Quotas, SecondaryLimits } from './quota.ts';
import { between, type Chance, chanceOf } from './seed/chance.ts';
import { Accounts, type Scale } from './state/accounts.ts';
import { Repositories } from './state/repositories.ts';
import type { Store } from './store.ts';

export interface PlatformSettings extends Scale {
  /** What paths are relative to, without a final slash. */
  readonly baseUrl: string;
  /** The storage host that archives are downloaded from. */
  readonly storageUrl: string;
  readonly seed: number;
  readonly vendor: string;
  /** The path segment of the dependency-alert product; `depalerts` works beside it. */
  readonly alertsSegment: string;
  /** Requests that one caller may make in an hour; undefined for no limits at all. */
  readonly rateLimit: number | undefined;
  /** How long each request takes, in milliseconds. */
  readonly latency: number;
  /** Every token's text, and what it may do. */
  readonly grants: Readonly<Record<string, Grant>>;
  readonly clock: () => Date;
  readonly log: (line: string) => void;
}

export interface SandboxPlatform extends Omit<PlatformSettings, 'grants'> {
  readonly store: Store;
  readonly chance: Chance;
  readonly tokens: Tokens;
  readonly quotas: Quotas;
  readonly secondaryLimits: SecondaryLimits | undefined;
  readonly accounts: Accounts;
  readonly repositories: Repositories;
  /** Scheme, host and port: what pages for people are relative to. */
  readonly origin: string;
  /** When this sandbox was first started, to the hour: what has a time window in the API is dated back from here. */
  readonly started: number;
}

/** What the headers name where nothing is limited: more requests than a client can make in an hour. */
const unreachable = 1_000_000_000;

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;

export function createPlatform({ grants, ...settings }: PlatformSettings, store: Store): SandboxPlatform {
  const chance = chanceOf(settings.seed);
  // What has no time window is dated before this day, so that one seed always tells of the same past.
  const epoch = Date.UTC(2025, 0, 1) + between(0, 364, chance('epoch')) * day;
  const accounts = new Accounts(chance, epoch, settings, store);
  return {
    ...settings,
    store,
    chance,
    accounts,
    repositories: new Repositories(chance, epoch, settings, accounts, store),
    tokens: new Tokens(grants, store),
    quotas: new Quotas(settings.rateLimit ?? unreachable, settings.clock),
    secondaryLimits: settings.rateLimit === undefined ? undefined : new SecondaryLimits(settings.clock),
    origin: new URL(settings.baseUrl).origin,
    started: startOf(settings, store),
  };
}

function startOf({ clock }: Pick<PlatformSettings, 'clock'>, store: Store): number {
  const starts = store.collection<number>('started');
  const started = starts.get('') ?? Math.floor(clock().getTime() / hour) * hour;
  starts.set('', started);
  return started;
}
