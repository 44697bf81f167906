/** Settings and state of a sandbox, as routes use them. */
import { type Grant, Tokens } from './callers.ts';
import { Quotas, SecondaryLimits } from './quota.ts';
import { between, type Chance, chanceOf } from './seed/chance.ts';
import { Accounts, type Scale } from './state/accounts.ts';
import { SandboxApp } from './state/app.ts';
import { Repositories } from './state/repositories.ts';
import type { Store } from './store.ts';

export interface PlatformSettings extends Scale {
  /** Path prefix of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** Port of the storage host of archives. */
  readonly storagePort: number;
  readonly seed: number;
  readonly vendor: string;
  /** Path segment of the dependency-alert product, in addition to `depalerts`. */
  readonly alertsSegment: string;
  /** Requests per caller and hour; undefined for no rate limits. */
  readonly rateLimit: number | undefined;
  /** Additional names of the host in requests. */
  readonly allowedHosts: readonly string[];
  /** Duration of each request, in milliseconds. */
  readonly latency: number;
  /** Tokens and their access. */
  readonly grants: Readonly<Record<string, Grant>>;
  /** Lifetime of installation tokens, in milliseconds. */
  readonly tokenLifetime: number;
  /** Share of the requests with a fresh installation token that fail. */
  readonly freshTokenFaults: number;
  readonly clock: () => Date;
  readonly log: (line: string) => void;
}

export interface SandboxPlatform extends Omit<PlatformSettings, 'grants' | 'tokenLifetime' | 'freshTokenFaults'> {
  readonly store: Store;
  readonly chance: Chance;
  readonly app: SandboxApp;
  readonly tokens: Tokens;
  readonly quotas: Quotas;
  readonly secondaryLimits: SecondaryLimits | undefined;
  readonly accounts: Accounts;
  readonly repositories: Repositories;
  /** Scheme, host and port of web pages. */
  readonly origin: string;
  /** First start of this sandbox, to the hour: base of the dates that time windows apply to. */
  readonly started: number;
}

/** The quota of `GET /rate_limit` without rate limits: more requests than a client can send in an hour. */
const unreachable = 1_000_000_000;

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;

export function createPlatform(
  { grants, tokenLifetime, freshTokenFaults, ...settings }: PlatformSettings,
  store: Store,
): SandboxPlatform {
  const chance = chanceOf(settings.seed);
  let freshRequests = 0;
  const failsFresh = () => chance('fresh token', ++freshRequests) < freshTokenFaults;
  const app = new SandboxApp(store, settings.clock);
  // All other seeded dates are before this day, so that they depend only on the seed.
  const epoch = Date.UTC(2025, 0, 1) + between(0, 364, chance('epoch')) * day;
  const started = startOf(settings, store);
  const accounts = new Accounts(chance, epoch, settings, store);
  return {
    ...settings,
    store,
    chance,
    accounts,
    repositories: new Repositories(chance, { epoch, started }, settings, accounts, store),
    app,
    tokens: new Tokens({ grants, app, tokenLifetime, failsFresh, clock: settings.clock }, store),
    quotas: new Quotas(settings.rateLimit ?? unreachable, settings.clock),
    secondaryLimits: settings.rateLimit === undefined ? undefined : new SecondaryLimits(settings.clock),
    origin: new URL(settings.baseUrl).origin,
    started,
  };
}

function startOf({ clock }: Pick<PlatformSettings, 'clock'>, store: Store): number {
  const starts = store.collection<number>('started');
  const started = starts.get('') ?? Math.floor(clock().getTime() / hour) * hour;
  starts.set('', started);
  return started;
}
