/**
 * The tokens of an app's installations: created when they are needed, renewed before they expire, and kept in memory
 * only. Requests that the platform accepts only from the app itself are sent with its JWT.
 */
import { isObject } from '../json/exact-json.ts';
import {
  createInstallationToken,
  getApp,
  getOrganizationInstallation,
  listAppInstallations,
} from '../platform/endpoints/apps.ts';
import type { InstallationToken } from '../platform/records.ts';
import type { AppJwt } from './app-jwt.ts';
import type { ApiResponse, Client } from './client.ts';
import { type Authorization, type TokenSource, tokenProblem } from './credential.ts';
import {
  ApiError,
  AppLoginError,
  AuthenticationError,
  InstallationRefusedError,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  type RequestSummary,
  ServerError,
} from './errors.ts';

/** Limits of a token within its installation. */
export interface Narrowing {
  /** Levels by name. */
  readonly permissions?: Readonly<Record<string, string>> | undefined;
  /** Names, without the owner. */
  readonly repositories?: readonly string[] | undefined;
}

export interface InstallationTokensOptions {
  readonly jwt: AppJwt;
  /**
   * Sends requests as the app. It has a transport of its own: a request that waits for its token occupies one of the
   * places of its transport.
   */
  readonly client: Client;
  /** ID, or login of the organization. Absent: the installation on the organization in the path of each request. */
  readonly installation?: string | undefined;
  readonly narrowing?: Narrowing | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives each new token, to mask it. */
  readonly onToken?: ((token: string) => void) | undefined;
}

/** A token with its times in epoch milliseconds, on this machine's clock. */
export interface MintedToken extends InstallationToken {
  readonly installationId: number;
  readonly createdAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** A new token takes a moment to become valid on the whole platform: a 401 in this time is retried. Milliseconds. */
const settlingMs = 5_000;
const settlingRetryMs = 1_000;

/** Maximum number of renewals for a request: short-lived tokens may expire again while it waits. Others are renewed once. */
const mostRenewals = 3;

/** The longest time before its end that a token is renewed. Milliseconds. */
const longestAheadMs = 5 * 60_000;

/** A `Date` header has no fractions of a second. Milliseconds. */
const dateErrorMs = 999;

/** How far the platform's clock may be ahead of this one: each `Date` header narrows it down. */
class Skew {
  #mostMs = Number.POSITIVE_INFINITY;

  /** Returns the latest time that it may have been on the platform when a request was sent. */
  platformTime(date: string | undefined, sentAt: number, receivedAt: number): number {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time)) return sentAt;
    const most = time + dateErrorMs - sentAt;
    // One of the clocks was changed if this response contradicts earlier ones.
    this.#mostMs = time - receivedAt > this.#mostMs ? most : Math.min(this.#mostMs, most);
    return sentAt + this.#mostMs;
  }
}

export class InstallationTokens implements TokenSource {
  readonly origin: string;
  readonly #options: InstallationTokensOptions;
  readonly #installations = new Map<string, Installation>();

  constructor(options: InstallationTokensOptions) {
    this.#options = options;
    this.origin = options.jwt.origin;
  }

  authorize(asked: RequestSummary): Authorization {
    if (isForApp(asked.path)) return this.#options.jwt.authorize(asked);
    const installation = this.#installationFor(asked);
    const { now } = this.#options;
    let used: MintedToken | undefined;
    let settlingRetries = 0;
    let renewals = 0;
    return {
      quota: `installation ${installation.name}`,
      token: async () => {
        used = await installation.token();
        return used.token;
      },
      retryAfter: () => {
        if (!used) return undefined;
        const settles = now() < used.expiresAt && now() - used.createdAt < settlingMs;
        if (settles) return ++settlingRetries * settlingRetryMs <= settlingMs ? settlingRetryMs : undefined;
        if (renewals >= (now() < used.expiresAt ? 1 : mostRenewals)) return undefined;
        renewals++;
        installation.drop(used);
        return 0;
      },
    };
  }

  /** Returns the token that a request is sent with. */
  current(asked: RequestSummary): Promise<MintedToken> {
    return this.#installationFor(asked).token();
  }

  async identify(asked: RequestSummary): Promise<string | undefined> {
    if (isForApp(asked.path)) return undefined;
    const { jwt, narrowing } = this.#options;
    const { installationId, permissions, repository_selection: selection } = await this.current(asked);
    if (!isObject(permissions)) return undefined;
    const levels = Object.entries(permissions).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify(['app', jwt.appId, installationId, levels, selection, narrowing?.repositories]);
  }

  close(): Promise<void> {
    return this.#options.client.close();
  }

  #installationFor(asked: RequestSummary): Installation {
    const name = (this.#options.installation ?? ownerIn(asked.path)).toLowerCase();
    const known = this.#installations.get(name);
    if (known) return known;
    const added = new Installation(name, asked, this.#options);
    this.#installations.set(name, added);
    return added;
  }
}

/** One installation, and its token. */
class Installation {
  /** ID or login; empty for the only installation of the app. */
  readonly name: string;
  readonly #asked: RequestSummary;
  readonly #options: InstallationTokensOptions;
  readonly #skew = new Skew();
  #id: number | undefined;
  #current: MintedToken | undefined;
  #minting: Promise<MintedToken> | undefined;

  constructor(name: string, asked: RequestSummary, options: InstallationTokensOptions) {
    this.name = name;
    this.#asked = asked;
    this.#options = options;
  }

  /** A number in a path is a login: these may consist of digits only. */
  get #isId(): boolean {
    return this.#options.installation !== undefined && /^\d+$/.test(this.name);
  }

  /** Returns the token in use, or a new one that all requests share. */
  async token(): Promise<MintedToken> {
    if (this.#minting) return this.#minting;
    if (this.#current && this.#options.now() < this.#current.renewAt) return this.#current;
    this.#minting = this.#mint();
    try {
      this.#current = await this.#minting;
      return this.#current;
    } finally {
      this.#minting = undefined;
    }
  }

  /** Makes the next request renew a token that the platform rejected, unless it was renewed already. */
  drop(token: MintedToken): void {
    if (this.#current === token) this.#current = undefined;
  }

  async #mint(): Promise<MintedToken> {
    const { now, onToken } = this.#options;
    try {
      this.#id ??= await this.#findId();
      const sentAt = now();
      const { data, headers } = await this.#create(this.#id);
      onToken?.(data.token);
      const createdAt = now();
      const lifeMs = Date.parse(data.expires_at) - this.#skew.platformTime(headers.date, sentAt, createdAt);
      const expiresAt = sentAt + lifeMs;
      const renewAt = expiresAt - Math.min(longestAheadMs, lifeMs / 10);
      return { ...data, installationId: this.#id, createdAt, renewAt, expiresAt };
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** Creates a token. A failure is retried even though this is a write: an extra token does no harm. */
  async #create(id: number): Promise<ApiResponse<InstallationToken>> {
    const { narrowing = {} } = this.#options;
    // A long run renews its tokens often, so each renewal has its own budget.
    const client = this.#options.client.forTask();
    const { permissions, repositories } = narrowing;
    const body = { ...(permissions && { permissions }), ...(repositories && { repositories: [...repositories] }) };
    const plan = client.plan(createInstallationToken, { path: { installation_id: id }, body });
    for (let failures = 1; ; failures++)
      try {
        const response = await client.send(plan);
        requireToken(response.data, plan.asked);
        return response;
      } catch (error) {
        const passes =
          error instanceof ServerError || error instanceof NetworkError || error instanceof OutcomeUnknownError;
        if (!passes || !(await client.backOff(failures, 'The platform did not create a token'))) throw error;
      }
  }

  async #findId(): Promise<number> {
    const { client } = this.#options;
    if (this.#isId) return Number(this.name);
    if (this.name !== '') return (await client.call(getOrganizationInstallation, { path: { org: this.name } })).id;
    const [only, ...others] = await client.call(listAppInstallations, {});
    if (only && others.length === 0) return only.id;
    const { method, path } = this.#asked;
    throw new AppLoginError(
      this.#asked,
      only ? 'choice' : 'installation',
      only
        ? `${this.#app} has several installations; ${method} ${path} requires one of them.`
        : `${this.#app} has no installations.`,
    );
  }

  async #exists(): Promise<boolean> {
    const { client } = this.#options;
    return client.call(getApp, {}).then(
      () => true,
      (error: unknown) => !(error instanceof NotFoundError),
    );
  }

  get #app(): string {
    return `App ${this.#options.jwt.appId}`;
  }

  /** Returns an error that explains which part of the login the platform rejected. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof ApiError)) return error;
    const { asked, message, refusal } = error;
    if (error instanceof NotFoundError && !(await this.#exists()))
      return new AppLoginError(asked, 'key', `The platform has no app with the ID ${this.#options.jwt.appId}.`);
    if (error instanceof AuthenticationError)
      return new AppLoginError(
        asked,
        'key',
        `The platform rejected the private key of app ${this.#options.jwt.appId}: ${message.replace(/\.$/, '')}.`,
      );
    if (error instanceof NotFoundError)
      return new AppLoginError(
        asked,
        'installation',
        this.#isId
          ? `${this.#app} has no installation ${this.name}.`
          : `${this.#app} is not installed on ${this.name}.`,
      );
    return error instanceof PermissionError || refusal.status === 422
      ? new InstallationRefusedError(asked, refusal)
      : error;
  }
}

/** Throws InvalidResponseError for a record without a usable token, which it never quotes. */
export function requireToken(record: unknown, asked: RequestSummary): void {
  const { token, expires_at } = (isObject(record) ? record : {}) as Partial<InstallationToken>;
  const problem = tokenProblem(token);
  const hasEnd = typeof expires_at === 'string' && !Number.isNaN(Date.parse(expires_at));
  if (!problem && hasEnd) return;
  const wrong = problem ? `that ${problem}` : 'without the time it expires';
  throw new InvalidResponseError(asked, `${asked.method} ${asked.path} returned a token ${wrong}.`);
}

/** Requests that only the app itself may send. Public platform, Apps: endpoints that require a JWT. */
const isForApp = (path: string) =>
  /^\/app(?:\/|$)|^\/(?:orgs|users|enterprises)\/[^/]+\/installation$|^\/repos\/[^/]+\/[^/]+\/installation$/.test(path);

/** Returns the organization in a path; empty for other paths. */
function ownerIn(path: string): string {
  const owner = /^\/(?:orgs|organizations|repos)\/([^/]+)/.exec(path)?.[1] ?? '';
  try {
    return decodeURIComponent(owner);
  } catch {
    // The platform refuses the path.
    return owner;
  }
}
