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
  readonly isApp: boolean;
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
  missing({ baseUrl, fromStdin, isApp }: NeededInput): readonly Problem[] {
    if (this.#context.input.canPrompt()) return [];
    const platform = baseUrl === undefined ? [missing('--base-url', 'or FORGECTL_BASE_URL is required')] : [];
    if (isApp) return platform;
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
