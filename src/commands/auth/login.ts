import { Flags } from '@oclif/core';
import { type Account, identify } from '../../cli/account.ts';
import { readAll } from '../../cli/body-input.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { anonymousConnection, type Connection, type ConnectionFlags } from '../../cli/connection.ts';
import { Credentials, credentialsPath, type TokenOwner, type TokenStorage } from '../../cli/credentials.ts';
import { NotLoggedInError, UsageError } from '../../cli/errors.ts';
import { chooseProfile, type LoginProfile } from '../../cli/login-profile.ts';
import { settingDefaults } from '../../cli/setting-keys.ts';
import { changeSettings, readSettings, settingsDirectory, type TokenRecord, withProfile } from '../../cli/settings.ts';
import { tokenKindOf, tokenProblem } from '../../cli/token-kind.ts';
import { AuthenticationError, BadAnswerError, NotFoundError } from '../../client/errors.ts';
import type { Column } from '../../output/columns.ts';
import { getAuthenticatedUser, getMeta } from '../../platform/endpoints/accounts.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';

interface Login {
  profile: string;
  base_url: string;
  login: string | null;
  token_kind: string | null;
  scopes: readonly string[] | null;
  expires_at: string | null;
  storage: TokenStorage;
  platform_version: string | null;
}

interface LoginFlags extends ConnectionFlags {
  readonly 'with-token': boolean;
  readonly 'insecure-storage': boolean;
}

export default class AuthLogin extends ForgectlCommand<Login> {
  static override summary = 'Log in to a platform';
  static override description =
    `Checks a token with the platform and keeps it for a profile, which becomes the active one. The token is asked for, or read from
standard input with --with-token; it is never given as a flag. It goes into the system's keyring, or with your consent into a file that
only you can read, and later to no other host than the one it was checked with. Without --profile the first login makes the profile
“default”, and the login to another host one that is called like the host. Nothing is kept when the check fails.`;
  static override examples = [
    { description: 'Asks for the token', command: '<%= config.bin %> auth login --base-url https://ghe.example.com' },
    {
      description: 'Without a terminal and without a keyring, as in a container',
      command:
        '<%= config.bin %> auth login --base-url https://ghe.example.com --with-token --insecure-storage < token.txt',
    },
  ];
  static override requests = [getAuthenticatedUser.route, listInstallationRepositories.route, getMeta.route];
  static override flags = {
    'with-token': Flags.boolean({ description: 'Read the token from standard input; one trailing newline is dropped' }),
    'insecure-storage': Flags.boolean({
      description: 'Keep the token unencrypted, in a file that only you can read, instead of the system’s keyring',
    }),
    vendor: Flags.string({
      helpValue: 'NAME',
      description: 'The platform’s own name in header names; found out from its answers unless given',
    }),
    'alerts-segment': Flags.string({
      helpValue: 'NAME',
      description: 'The path segment that names the platform’s dependency alerts; dependabot unless given',
    }),
    'ca-file': Flags.string({
      helpValue: 'FILE',
      description: 'Certificates to trust beside the usual ones, in PEM',
    }),
  };

  protected override readonly columns: readonly Column<Login>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
    { header: 'Token kind', get: 'token_kind' },
    { header: 'Scopes', get: 'scopes' },
    { header: 'Expires', get: 'expires_at' },
    { header: 'Kept in', get: 'storage' },
    { header: 'Platform version', get: 'platform_version' },
  ];

  #connection: Connection | undefined;

  async run() {
    const { flags } = await this.parse(AuthLogin);
    const directory = settingsDirectory(this.runtime.env, this.config.configDir);
    const target = chooseProfile(readSettings(directory), flags, this.runtime.env);
    const baseUrl = target.baseUrl ?? (await this.askBaseUrl());
    const connection = anonymousConnection(
      { ...flags, 'base-url': baseUrl },
      this.runtime.env,
      target,
      this.config.version,
    );
    const token = await this.readToken(flags['with-token'], connection.platform.baseUrl);
    const account = await this.check(connection, token);
    return this.keep({ directory, target, connection, flags, token, account });
  }

  /** The token that is being checked goes with the requests, not one that is kept. */
  protected override async connection(): Promise<Connection> {
    return this.#connection ?? super.connection();
  }

  private async askBaseUrl(): Promise<string> {
    if (!this.mayAsk())
      throw new UsageError('There is no base URL to log in to.', 'Add --base-url URL, or set FORGECTL_BASE_URL.');
    const { promptText } = await import('../../cli/prompts.ts');
    return promptText('Base URL of the platform, such as https://ghe.example.com:', this.runtime);
  }

  private async readToken(fromStdin: boolean, baseUrl: string): Promise<string> {
    const token = fromStdin ? (await readAll(this.runtime.stdin)).replace(/\r?\n$/, '') : await this.askToken(baseUrl);
    const problem = tokenProblem(token);
    if (problem) throw new UsageError(`The token ${problem}. Nothing was sent.`);
    return token;
  }

  private async askToken(baseUrl: string): Promise<string> {
    if (!this.mayAsk())
      throw new UsageError(
        'There is no token, and nobody can be asked for one.',
        'Give it on standard input, with --with-token.',
      );
    const { promptSecret } = await import('../../cli/prompts.ts');
    return (await promptSecret(`Token for ${baseUrl}:`, this.runtime)).trim();
  }

  private async check(anonymous: Connection, token: string): Promise<Account> {
    const { baseUrl } = anonymous.platform;
    const tokenKind = tokenKindOf(token);
    const credential = { token, origin: new URL(baseUrl).origin, source: 'environment' } as const;
    this.#connection = { ...anonymous, credential, tokenKind };
    try {
      return await identify(await this.client(), tokenKind);
    } catch (error) {
      if (error instanceof AuthenticationError)
        throw new NotLoggedInError(
          `${baseUrl} does not accept the token: ${error.refusal.message}. Nothing was stored.`,
          'Check that the token is complete, that it is one of this platform, and that it has not expired.',
        );
      const said = error instanceof NotFoundError ? `GET /user was answered 404: ${error.message}.` : unreadable(error);
      if (said === undefined) throw error;
      throw new UsageError(
        `${baseUrl} does not answer like the API of a platform. ${said} Nothing was stored.`,
        'Check the base URL; on a self-managed platform it is https://HOST/api/v3.',
      );
    }
  }

  /** Keeps the token first: a profile never says that there is one where there is none. */
  private async keep({ directory, target, connection, flags, token, account }: CheckedLogin): Promise<Login> {
    const { baseUrl } = connection.platform;
    const owner = { profile: target.name, origin: new URL(baseUrl).origin };
    const credentials = new Credentials(directory);
    const storage = await this.store(credentials, owner, token, flags['insecure-storage'], directory);
    await this.forgetReplaced(credentials, target, owner, storage);
    const record: TokenRecord = {
      storage,
      origin: owner.origin,
      kind: account.tokenKind ?? undefined,
      login: account.login ?? undefined,
      'expires-at': account.expiresAt ?? undefined,
    };
    const given = {
      'base-url': baseUrl,
      'api-version': flags['api-version'],
      vendor: flags.vendor ?? newVendor(account, target),
      'alerts-segment': flags['alerts-segment'],
      'ca-file': flags['ca-file'] && connection.caFile,
    };
    await changeSettings(directory, (settings) => {
      const before = settings.profiles.get(target.name) ?? {};
      return {
        ...withProfile(settings, target.name, { ...before, ...defined(given), token: record }),
        active: target.name,
      };
    });
    if (this.runtime.env.FORGECTL_TOKEN)
      this.notice('FORGECTL_TOKEN is set, and goes before the token that was stored.');
    return {
      profile: target.name,
      base_url: baseUrl,
      login: account.login,
      token_kind: account.tokenKind,
      scopes: account.scopes,
      expires_at: account.expiresAt,
      storage,
      platform_version: account.platformVersion,
    };
  }

  private async store(
    credentials: Credentials,
    owner: TokenOwner,
    token: string,
    insecurely: boolean,
    directory: string,
  ): Promise<TokenStorage> {
    if (!insecurely) {
      if (await credentials.keepInKeyring(owner, token)) return 'keyring';
      if (!(await this.consents(credentialsPath(directory))))
        throw new UsageError(
          'There is no system keyring that takes the token. Nothing was stored.',
          'To keep the token unencrypted in a file that only you can read, add --insecure-storage. To keep it nowhere, set FORGECTL_TOKEN and FORGECTL_BASE_URL instead.',
        );
    }
    await credentials.keepInFile(owner, token);
    return 'file';
  }

  private async consents(path: string): Promise<boolean> {
    if (!this.mayAsk()) return false;
    const { confirm } = await import('../../cli/prompts.ts');
    return confirm(
      `There is no system keyring that takes the token. Keep it unencrypted in ${path}, which only you can read?`,
      this.runtime,
    );
  }

  /** The token that the profile had goes, where the new one did not take its place. */
  private async forgetReplaced(
    credentials: Credentials,
    { name, profile: { token: old } }: LoginProfile,
    owner: TokenOwner,
    storage: TokenStorage,
  ): Promise<void> {
    if (old?.storage !== 'keyring' || (storage === 'keyring' && old.origin === owner.origin)) return;
    try {
      await credentials.removeFromKeyring({ profile: name, origin: old.origin });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.notice(`The profile’s former token was left where it was. ${error.message}`);
    }
  }
}

interface CheckedLogin {
  readonly directory: string;
  readonly target: LoginProfile;
  readonly connection: Connection;
  readonly flags: LoginFlags;
  readonly token: string;
  readonly account: Account;
}

/** The vendor that the platform's headers name, where it is not what the profile or the default says anyway. */
const newVendor = ({ vendor }: Account, { profile }: LoginProfile) =>
  vendor === null || vendor === (profile.vendor ?? settingDefaults.vendor) ? undefined : vendor;

const unreadable = (error: unknown) => (error instanceof BadAnswerError ? error.message : undefined);

const defined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
