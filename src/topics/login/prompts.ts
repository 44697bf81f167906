/** What `auth login` prompts for, and what is missing where prompts are disabled. */
import type { Account } from '../../cli/account/account.ts';
import { BadSetting } from '../../cli/account/bad-setting.ts';
import { type LoginProfile, replacedLogin } from '../../cli/account/login-profile.ts';
import { checkSetting } from '../../cli/account/setting-keys.ts';
import { UsageError } from '../../cli/errors.ts';
import type { CommandInput } from '../../cli/input/command-input.ts';
import { readSource } from '../../cli/input/sources.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { tokenProblem } from '../../client/credential.ts';
import { invalid, missing, type Problem } from '../../platform/validate.ts';

/** Advice for users without a token. */
export const whichToken =
  'A classic personal access token with the scopes admin:org, repo, security_events and user can run most commands; “auth check” shows which ones yours can.';

interface LoginContext {
  readonly input: CommandInput;
  readonly runtime: Runtime;
  readonly notice: (text: string) => void;
}

interface NeededInput {
  readonly baseUrl: string | undefined;
  readonly fromStdin: boolean;
  readonly fromGh: boolean;
  readonly isApp: boolean;
  /** Whether --yes is given. */
  readonly isConfirmed: boolean;
}

export class LoginPrompts {
  readonly #context: LoginContext;

  constructor(context: LoginContext) {
    this.#context = context;
  }

  /**
   * Returns everything that is missing if prompts are disabled. A token is never read from the keyboard, which would
   * echo it.
   */
  missing({ baseUrl, fromStdin, fromGh, isApp, isConfirmed }: NeededInput): readonly Problem[] {
    if (this.#context.input.canPrompt()) return [];
    const platform = baseUrl === undefined ? [missing('--base-url', 'or FORGECTL_BASE_URL is required')] : [];
    if (isApp || (fromGh && isConfirmed)) return platform;
    if (fromGh) return [...platform, missing('--yes', 'is required with --from-gh: prompts are disabled')];
    if (!fromStdin)
      return [
        ...platform,
        missing('--with-token', 'is required, with the token on standard input: prompts are disabled'),
      ];
    if (!this.#context.runtime.stdin.isTTY) return platform;
    return [...platform, invalid('--with-token', 'requires a pipe or a file, not a terminal')];
  }

  async baseUrl(): Promise<string> {
    const { promptText } = await import('../../cli/input/prompts/prompts.ts');
    const question = 'Base URL of the platform, such as https://ghe.example.com:';
    const baseUrl = await promptText(question, this.#context.runtime, baseUrlProblem);
    await this.#context.input.noteAnswer('--base-url', baseUrl);
    return baseUrl;
  }

  /** Takes over the token of gh for the same host, after a yes. Throws UsageError. */
  async ghToken(baseUrl: string, { isConfirmed }: { readonly isConfirmed: boolean }): Promise<string> {
    const { findGh, ghHost, tokenOfGh } = await import('./gh.ts');
    const { runtime, input } = this.#context;
    const gh = findGh(runtime.env, baseUrl);
    const host = ghHost(baseUrl);
    if (!isConfirmed) {
      const { confirm } = await import('../../cli/input/prompts/prompts.ts');
      if (!(await confirm(`Take over the token of gh (${gh.path}) for ${host}?`, runtime)))
        throw new UsageError('Nothing was stored.');
      await input.noteAnswer('--yes');
    }
    return tokenOfGh(gh, host, runtime.env);
  }

  /** Reports the scopes that the token of gh lacks, and how to add them. */
  async missingScopes(scopes: readonly string[] | null, baseUrl: string): Promise<readonly string[] | null> {
    if (scopes === null) return null;
    const [{ allCommands }, { missingScopes }, { ghHost }] = await Promise.all([
      import('../../cli/lookup/command-words.ts'),
      import('../permissions/missing-scopes.ts'),
      import('./gh.ts'),
    ]);
    const lacking = missingScopes(await allCommands(), scopes);
    if (lacking.length > 0)
      this.#context.notice(
        `Some commands need scopes that the token lacks: ${lacking.join(', ')}. “forgectl auth check” lists the commands. To add scopes: gh auth refresh --hostname ${ghHost(baseUrl)} --scopes ${lacking.join(',')}, then log in again.`,
      );
    return lacking;
  }

  /** Reads the token from standard input, or prompts for it. Throws UsageError for an invalid one. */
  async token(fromStdin: boolean, baseUrl: string): Promise<string> {
    const asks = !fromStdin || this.#context.runtime.stdin.isTTY;
    const token = asks
      ? await this.#askToken(baseUrl)
      : (await readSource('-', this.#context.runtime.stdin)).replace(/\r?\n$/, '');
    const problem = tokenProblem(token);
    if (problem) throw new UsageError(`The token ${problem}. Nothing was sent.`);
    if (!fromStdin) await this.#context.input.noteAnswer('--with-token');
    return token;
  }

  async #askToken(baseUrl: string): Promise<string> {
    const { promptSecret } = await import('../../cli/input/prompts/prompts.ts');
    this.#context.notice(whichToken);
    const question = `Token for ${baseUrl}:`;
    return (await promptSecret(question, this.#context.runtime, (typed) => tokenProblem(typed.trim()))).trim();
  }

  /** Asks for confirmation to replace a profile with another login. Throws UsageError if it is denied. */
  async confirmReplacement(target: LoginProfile, account: Account, baseUrl: string): Promise<void> {
    const replaced = replacedLogin(target, account, baseUrl);
    if (!replaced) return;
    const holds = `Profile ${target.name} already has ${replaced.old}.`;
    if (!this.#context.input.canPrompt())
      throw new UsageError(`${holds} Nothing was stored.`, 'Replace it with --yes, or keep both with --profile NAME.');
    const { confirm } = await import('../../cli/input/prompts/prompts.ts');
    if (!(await confirm(`${holds} Replace it with ${replaced.new}?`, this.#context.runtime)))
      throw new UsageError('Nothing was stored.', 'To keep both, log in with --profile NAME.');
    await this.#context.input.noteAnswer('--yes');
  }

  /** Returns whether the token may be stored unencrypted in this file. */
  async consents(path: string): Promise<boolean> {
    if (!this.#context.input.canPrompt()) return false;
    const { confirm } = await import('../../cli/input/prompts/prompts.ts');
    const question = `No system keyring is available. Store the token unencrypted in ${path}, readable only by you?`;
    const consents = await confirm(question, this.#context.runtime);
    if (consents) await this.#context.input.noteAnswer('--insecure-storage');
    return consents;
  }
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
