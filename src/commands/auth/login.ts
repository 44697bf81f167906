import * as Flags from '@oclif/core/flags';
import { type Account, identify } from '../../cli/account/account.ts';
import type { AppLogin } from '../../cli/account/app/login.ts';
import { BadSetting } from '../../cli/account/bad-setting.ts';
import { anonymousConnection, type Connection } from '../../cli/account/connection.ts';
import type { TokenStorage } from '../../cli/account/credentials.ts';
import { keepLogin } from '../../cli/account/keep-login.ts';
import { chooseProfile, type LoginProfile, replacedLogin } from '../../cli/account/login-profile.ts';
import { checkSetting } from '../../cli/account/setting-keys.ts';
import { type AppRecord, readSettings } from '../../cli/account/settings.ts';
import { tokenKindOf } from '../../cli/account/token-kind.ts';
import { requireUsable } from '../../cli/account/unusable.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { NotLoggedInError, UsageError } from '../../cli/errors.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { confirmedWriteFlags, textFlag } from '../../cli/input/flags.ts';
import { readSource } from '../../cli/input/sources.ts';
import type { Client } from '../../client/client.ts';
import { tokenProblem } from '../../client/credential.ts';
import { AuthenticationError, InvalidResponseError, NotFoundError } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import type { TokenKind } from '../../platform/endpoint.ts';
import { getAuthenticatedUser, getMeta } from '../../platform/endpoints/accounts.ts';
import { createInstallationToken, getApp, listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';
import { invalid, missing } from '../../platform/validate.ts';
import { appLoginFlags, appLoginIn } from '../../topics/app-login-flags.ts';

interface Login {
  profile: string;
  base_url: string;
  login: string | null;
  token_kind: string | null;
  scopes: readonly string[] | null;
  expires_at: string | null;
  storage: TokenStorage;
  platform_version: string | null;
  /** Present for an app. */
  app?: {
    id: number;
    /** Null if the app has several, and none is selected. */
    installation_id: number | null;
    permissions: Readonly<Record<string, string>> | null;
  };
}

/** Advice for users without a token. */
const whichToken =
  'A classic personal access token with the scopes admin:org, repo, security_events and user can run most commands; “auth check” shows which ones yours can.';

export default class AuthLogin extends ForgectlCommand<Login> {
  static override summary = 'Log in to a platform';
  static override description =
    `Verifies a token with the platform and stores it in a profile, which becomes the active one. forgectl prompts for the
token, or reads it from standard input with --with-token; no flag takes it. The token is stored in the system keyring
or, with your consent, in a file that only you can read. It is never sent to another host. Replacing a profile with
another login or kind of token requires confirmation. Without --profile, the first login creates the profile
“default”; a login to another host creates a profile named after the host. If the verification fails, nothing is
stored.

With --app-id and --private-key-file, logs in as an app: commands create short-lived tokens for its installation, and
renew them. --installation or --organization selects the installation; without either, each command uses the one of the
organization that it names. --permissions and --repositories limit the tokens. The key is stored in the system keyring;
without one it stays in its file. With --app-sign-command instead of a key, a program signs, such as the client of a vault: it
reads the text from standard input and writes the RS256 signature, as bytes or base64. Of the environment it gets only PATH,
HOME, TMPDIR, the locale, proxies without passwords, and the variables in --app-sign-env.

${whichToken}`;
  static override examples = [
    {
      description: 'Log in with a prompt for the token',
      command: '<%= config.bin %> auth login --base-url https://ghe.example.com',
    },
    {
      description: 'Log in without a terminal or keyring, as in a container',
      command:
        '<%= config.bin %> auth login --base-url https://ghe.example.com --with-token --insecure-storage < token.txt',
    },
    {
      description: 'Log in as an app',
      command:
        '<%= config.bin %> auth login --base-url https://ghe.example.com --profile bot --app-id 41 --private-key-file app.pem --organization acme',
    },
  ];
  static override requests = [
    getAuthenticatedUser.route,
    listInstallationRepositories.route,
    getMeta.route,
    getApp.route,
    listAppInstallations.route,
    createInstallationToken.route,
  ];
  static override flags = {
    'with-token': Flags.boolean({ description: 'Read the token from standard input; one trailing newline is removed' }),
    'insecure-storage': Flags.boolean({
      description: 'Store the token unencrypted in a file that only you can read, instead of the system keyring',
    }),
    ...appLoginFlags,
    yes: confirmedWriteFlags.yes,
    vendor: textFlag('--vendor', {
      helpValue: 'NAME',
      description: 'Vendor name in the platform’s header names (default: detected from its responses)',
    }),
    'alerts-segment': textFlag('--alerts-segment', {
      helpValue: 'NAME',
      description: 'Path segment of the platform’s dependency alerts (default: dependabot)',
    }),
    'ca-file': textFlag('--ca-file', {
      ...fileOnly,
      description: 'Additional trusted certificates in PEM format',
    }),
  };

  protected override readonly columns: readonly Column<Login>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
    { header: 'Token kind', get: 'token_kind' },
    { header: 'Scopes', get: 'scopes' },
    { header: 'Expires', get: 'expires_at' },
    { header: 'Storage', get: 'storage' },
    { header: 'Platform version', get: 'platform_version' },
  ];

  protected override readonly idField = 'profile';

  async run() {
    const { flags } = await this.parse(AuthLogin);
    const { settingsDirectory: directory } = this;
    const settings = readSettings(directory);
    const target = chooseProfile(settings, flags, this.runtime.env);
    requireUsable(settings, target.name, { directory, flags: { ...flags, token: 'new' }, env: this.runtime.env });
    const login = appLoginIn(flags, this.problems);
    this.refuseWhatNobodyGives(target.baseUrl, flags['with-token'], login !== undefined);
    const baseUrl = target.baseUrl ?? (await this.askBaseUrl());
    const connection = anonymousConnection(
      { ...flags, 'base-url': baseUrl },
      this.runtime.env,
      target,
      this.config.version,
    );
    const { secret, account, app, checkedApp } = login
      ? await this.readApp(login, connection)
      : await this.readUser(flags['with-token'], connection);
    await this.confirmReplacement(target, account, connection.platform.baseUrl, flags.yes);
    const given = {
      'api-version': flags['api-version'],
      vendor: flags.vendor,
      'alerts-segment': flags['alerts-segment'],
      'ca-file': flags['ca-file'] && connection.caFile,
    };
    const checked = { target, baseUrl: connection.platform.baseUrl, secret, account, given, ...(app && { app }) };
    const storage = await keepLogin(directory, checked, {
      consents: (path) => this.consents(path),
      notice: (text) => this.notice(text),
      insecurely: flags['insecure-storage'],
    });
    const { env } = this.runtime;
    const exported = ['FORGECTL_TOKEN', 'FORGECTL_APP_ID'].find((name) => env[name]);
    if (exported)
      this.notice(
        env.FORGECTL_BASE_URL
          ? `${exported} and FORGECTL_BASE_URL are set and take precedence over the profile.`
          : `${exported} is set without a platform: unset it, or also set FORGECTL_BASE_URL.`,
      );
    return {
      profile: target.name,
      base_url: checked.baseUrl,
      login: account.login,
      token_kind: account.tokenKind,
      scopes: account.scopes,
      expires_at: account.expiresAt,
      storage,
      platform_version: account.platformVersion,
      ...(checkedApp && { app: checkedApp }),
    };
  }

  /**
   * Throws UsageError for everything that is missing when prompts are disabled. A token is never read from the
   * keyboard, which would echo it.
   */
  private refuseWhatNobodyGives(baseUrl: string | undefined, fromStdin: boolean, isApp: boolean): void {
    if (!this.input.canPrompt()) this.noteMissing(baseUrl, fromStdin, isApp);
    this.input.refuseProblems();
  }

  private noteMissing(baseUrl: string | undefined, fromStdin: boolean, isApp: boolean): void {
    if (baseUrl === undefined) this.problems.push(missing('--base-url', 'or FORGECTL_BASE_URL is required'));
    if (isApp) return;
    if (!fromStdin)
      this.problems.push(
        missing('--with-token', 'is required, with the token on standard input, when prompts are disabled'),
      );
    else if (this.runtime.stdin.isTTY)
      this.problems.push(invalid('--with-token', 'requires a pipe or a file, not a terminal'));
  }

  private async askBaseUrl(): Promise<string> {
    const { promptText } = await import('../../cli/input/prompts/prompts.ts');
    const question = 'Base URL of the platform, such as https://ghe.example.com:';
    const baseUrl = await promptText(question, this.runtime, baseUrlProblem);
    await this.input.noteAnswer('--base-url', baseUrl);
    return baseUrl;
  }

  private async readToken(fromStdin: boolean, baseUrl: string): Promise<string> {
    const asks = !fromStdin || this.runtime.stdin.isTTY;
    const token = asks
      ? await this.askToken(baseUrl)
      : (await readSource('-', this.runtime.stdin)).replace(/\r?\n$/, '');
    const problem = tokenProblem(token);
    if (problem) throw new UsageError(`The token ${problem}. Nothing was sent.`);
    if (!fromStdin) await this.input.noteAnswer('--with-token');
    return token;
  }

  private async askToken(baseUrl: string): Promise<string> {
    const { promptSecret } = await import('../../cli/input/prompts/prompts.ts');
    this.notice(whichToken);
    const question = `Token for ${baseUrl}:`;
    return (await promptSecret(question, this.runtime, (typed) => tokenProblem(typed.trim()))).trim();
  }

  private async readUser(fromStdin: boolean, anonymous: Connection): Promise<VerifiedLogin> {
    const token = await this.readToken(fromStdin, anonymous.platform.baseUrl);
    const tokenKind = tokenKindOf(token);
    this.use(anonymous, { token }, tokenKind);
    const account = await this.check(anonymous, async (client) => identify(client, tokenKind));
    return { secret: token, account };
  }

  private async readApp(login: AppRecord, anonymous: Connection): Promise<VerifiedLogin> {
    const { readAppLogin } = await import('../../cli/account/app/login.ts');
    const { identifyApp, selectedToken } = await import('../../cli/account/app/identify.ts');
    const { record, app } = await readAppLogin(login, this.runtime.env);
    this.use(anonymous, { app }, 'installation');
    return this.check(anonymous, async (client) => {
      const { appId: id, ...account } = await identifyApp(client);
      const token = await selectedToken(client);
      const { installationId: installation_id = null, permissions = null } = token ?? {};
      return { secret: app.key, account, app: record, checkedApp: { id, installation_id, permissions } };
    });
  }

  private use(
    anonymous: Connection,
    secret: { readonly token: string } | { readonly app: AppLogin },
    tokenKind: TokenKind | undefined,
  ): void {
    const { origin } = new URL(anonymous.platform.baseUrl);
    this.session.use({ ...anonymous, credential: { ...secret, origin, source: 'environment' }, tokenKind });
  }

  private async check<T>(anonymous: Connection, identified: (client: Client) => Promise<T>): Promise<T> {
    const { baseUrl } = anonymous.platform;
    try {
      return await identified(await this.session.client());
    } catch (error) {
      if (error instanceof AuthenticationError && error.asked.endpoint?.asApp)
        throw new NotLoggedInError(
          `${baseUrl} rejected the private key: ${error.refusal.message}. Nothing was stored.`,
          'Check that the key belongs to this app and has not been deleted.',
        );
      if (error instanceof AuthenticationError)
        throw new NotLoggedInError(
          `${baseUrl} rejected the token: ${error.refusal.message}. Nothing was stored.`,
          'Check that the token is complete, belongs to this platform and has not expired.',
        );
      if (error instanceof NotFoundError && error.asked.endpoint?.asApp)
        throw new NotLoggedInError(
          `GET /app of ${baseUrl} returned 404 ${error.refusal.message}. Nothing was stored.`,
          'Check the app ID and the base URL.',
        );
      const said = error instanceof NotFoundError ? `GET /user returned 404 ${error.message}.` : unreadable(error);
      if (said === undefined) throw error;
      throw new UsageError(
        `${baseUrl} does not look like a platform’s API. ${said} Nothing was stored.`,
        'Check the base URL: self-managed platforms use https://HOST/api/v3.',
      );
    }
  }

  private async confirmReplacement(
    target: LoginProfile,
    account: Account,
    baseUrl: string,
    confirmed: boolean,
  ): Promise<void> {
    const replaced = confirmed ? undefined : replacedLogin(target, account, baseUrl);
    if (!replaced) return;
    const holds = `Profile ${target.name} already has ${replaced.old}.`;
    if (!this.input.canPrompt())
      throw new UsageError(`${holds} Nothing was stored.`, 'Replace it with --yes, or keep both with --profile NAME.');
    const { confirm } = await import('../../cli/input/prompts/prompts.ts');
    if (!(await confirm(`${holds} Replace it with ${replaced.new}?`, this.runtime)))
      throw new UsageError('Nothing was stored.', 'To keep both, log in with --profile NAME.');
    await this.input.noteAnswer('--yes');
  }

  private async consents(path: string): Promise<boolean> {
    if (!this.input.canPrompt()) return false;
    const { confirm } = await import('../../cli/input/prompts/prompts.ts');
    const question = `No system keyring is available. Store the token unencrypted in ${path}, readable only by you?`;
    const consents = await confirm(question, this.runtime);
    if (consents) await this.input.noteAnswer('--insecure-storage');
    return consents;
  }
}

/** A verified login, which is not stored yet. */
interface VerifiedLogin {
  /** Absent if a program signs in place of an app's key. */
  readonly secret: string | undefined;
  readonly account: Account;
  readonly app?: AppRecord;
  readonly checkedApp?: NonNullable<Login['app']>;
}

function baseUrlProblem(text: string): string | undefined {
  try {
    checkSetting('base-url', text);
    return undefined;
  } catch (error) {
    if (error instanceof BadSetting) return error.message;
    throw error;
  }
}

const unreadable = (error: unknown) => (error instanceof InvalidResponseError ? error.message : undefined);
