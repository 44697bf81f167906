import * as Flags from '@oclif/core/flags';
import { anonymousConnection } from '../../cli/account/connection.ts';
import type { TokenStorage } from '../../cli/account/credentials.ts';
import { keepLogin } from '../../cli/account/keep-login.ts';
import { chooseProfile } from '../../cli/account/login-profile.ts';
import { readSettings } from '../../cli/account/settings.ts';
import { requireUsable } from '../../cli/account/unusable.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { confirmedWriteFlags, textFlag } from '../../cli/input/flags.ts';
import type { Column } from '../../output/table/columns.ts';
import { getAuthenticatedUser, getMeta } from '../../platform/endpoints/accounts.ts';
import { createInstallationToken, getApp, listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';
import { invalid } from '../../platform/validate.ts';
import { appLoginFlags, appLoginIn } from '../../topics/login/app-flags.ts';
import { LoginPrompts, whichToken } from '../../topics/login/prompts.ts';
import { type VerifiedApp, verifyApp, verifyToken } from '../../topics/login/verify.ts';

interface Login {
  profile: string;
  base_url: string;
  login: string | null;
  token_kind: string | null;
  scopes: readonly string[] | null;
  expires_at: string | null;
  storage: TokenStorage;
  platform_version: string | null;
  /** With --from-gh: scopes that commands need and the token lacks; null for a token without scopes. */
  missing_scopes?: readonly string[] | null;
  /** Present for an app. */
  app?: VerifiedApp;
}

export default class AuthLogin extends ForgectlCommand<Login> {
  static override summary = 'Log in to a platform';
  static override description =
    `Verifies a token with the platform and stores it in a profile, which becomes the active one. forgectl prompts for the
token, or reads it from standard input with --with-token; no flag takes it. The token is stored in the system keyring
or, with your consent, in a file that only you can read. It is never sent to another host. Replacing a profile with
another login or kind of token requires confirmation. Without --profile, the first login creates the profile
“default”; a login to another host creates a profile named after the host. If the verification fails, nothing is
stored.

With --from-gh, forgectl takes over the token that gh has stored for the same host, after a prompt or with --yes, and lists
the scopes that the token lacks. gh is run without tokens in its environment.

With --app-id and --private-key-file, logs in as an app: commands create short-lived tokens for its installation, and
renew them. --installation or --organization selects the installation; without either, each command uses the one of the
organization that it names. --permissions and --repositories limit the tokens. The key is stored in the system keyring;
without one it stays in its file. With --app-sign-command instead of a key, a program signs, such as the client of a vault: it
reads the text from standard input and writes the RS256 signature, as bytes or base64. Of the environment it gets only PATH,
HOME, TMPDIR, the locale, proxies without passwords, and the variables in --app-sign-env.

${whichToken}`;
  static override examples = examples({
    'Log in with a prompt for the token': 'forgectl auth login --base-url https://ghe.example.com',
    'Log in without a terminal or keyring, as in a container':
      'forgectl auth login --base-url https://ghe.example.com --with-token --insecure-storage < token.txt',
    'Take over the login of gh': 'forgectl auth login --base-url https://ghe.example.com --from-gh',
    'Log in as an app':
      'forgectl auth login --base-url https://ghe.example.com --profile bot --app-id 41 --private-key-file app.pem --organization acme',
  });
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
    'from-gh': Flags.boolean({ description: 'Take over the token that gh has stored for the same host' }),
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
    const prompts = new LoginPrompts({ input: this.input, runtime: this.runtime, notice: (text) => this.notice(text) });
    const { 'from-gh': fromGh = false, 'with-token': fromStdin, yes: isConfirmed } = flags;
    if (fromGh && (fromStdin || login))
      this.problems.push(invalid('--from-gh', `cannot be used with ${login ? '--app-id' : '--with-token'}`));
    const needed = { baseUrl: target.baseUrl, fromStdin, fromGh, isApp: login !== undefined, isConfirmed };
    this.problems.push(...prompts.missing(needed));
    this.input.refuseProblems();
    const baseUrl = target.baseUrl ?? (await prompts.baseUrl());
    const connection = anonymousConnection(
      { ...flags, 'base-url': baseUrl },
      this.runtime.env,
      target,
      this.config.version,
    );
    const { baseUrl: platformUrl } = connection.platform;
    const { secret, account, app, checkedApp } = login
      ? await verifyApp(this.session, connection, login, this.runtime.env)
      : await verifyToken(
          this.session,
          connection,
          fromGh ? await prompts.ghToken(platformUrl, { isConfirmed }) : await prompts.token(fromStdin, platformUrl),
        );
    if (!flags.yes) await prompts.confirmReplacement(target, account, platformUrl);
    const given = {
      'api-version': flags['api-version'],
      vendor: flags.vendor,
      'alerts-segment': flags['alerts-segment'],
      'ca-file': flags['ca-file'] && connection.caFile,
    };
    const checked = { target, baseUrl: platformUrl, secret, account, given, ...(app && { app }) };
    const storage = await keepLogin(directory, checked, {
      consents: (path) => prompts.consents(path),
      notice: (text) => this.notice(text),
      insecurely: flags['insecure-storage'],
    });
    const { env } = this.runtime;
    const exported = ['FORGECTL_TOKEN', 'FORGECTL_TOKEN_FILE', 'FORGECTL_APP_ID'].find((name) => env[name]);
    if (exported)
      this.notice(
        env.FORGECTL_BASE_URL
          ? `${exported} and FORGECTL_BASE_URL are set and take precedence over the profile.`
          : `${exported} is set without a platform: unset it, or also set FORGECTL_BASE_URL.`,
      );
    return {
      profile: target.name,
      base_url: platformUrl,
      login: account.login,
      token_kind: account.tokenKind,
      scopes: account.scopes,
      expires_at: account.expiresAt,
      storage,
      platform_version: account.platformVersion,
      ...(fromGh && { missing_scopes: await prompts.missingScopes(account.scopes, platformUrl) }),
      ...(checkedApp && { app: checkedApp }),
    };
  }
}
