/** Reads the secret of a private registry and seals it. */
import { isUtf8 } from 'node:buffer';
import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { fileOrStdin, isStdin, stdinSwitch } from '../../cli/input/file-flags.ts';
import { textFlag, wordFlag } from '../../cli/input/flags.ts';
import { notUtf8, readBytes } from '../../cli/input/sources.ts';
import { type SealedSecret, startsWithByteOrderMark, withoutNewline } from '../../client/seal.ts';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import { invalid, missing } from '../../platform/validate.ts';

export const secretFlags = {
  'secret-file': textFlag('--secret-file', {
    ...fileOrStdin,
    description: 'File with the secret, or - for standard input; one trailing newline is removed',
  }),
  'secret-stdin': Flags.boolean({
    ...stdinSwitch,
    description: 'Read the secret from standard input; one trailing newline is removed',
  }),
  'secret-encoding': wordFlag('--secret-encoding', ['utf-8', 'binary'], {
    description: 'Encoding of the secret: utf-8 text, or binary to seal the bytes unchanged (default: utf-8)',
  }),
};

export interface SecretSource {
  readonly 'secret-file'?: string | undefined;
  readonly 'secret-stdin'?: boolean | undefined;
  readonly 'secret-prompt'?: boolean | undefined;
  readonly 'secret-encoding'?: 'utf-8' | 'binary' | undefined;
}

/** The fields that sealing sets; prompts skip them. */
export const sealedFields = ['encrypted_value', 'key_id'];

/** The base of commands that seal a secret with an organization's public key. */
export abstract class SecretSealingCommand<T> extends ForgectlCommand<T> {
  /** Returns whether a flag gives the source of the secret; reports conflicting flags. */
  protected namesSecret(flags: SecretSource & { readonly 'encrypted-value'?: unknown }): boolean {
    const given = (['secret-file', 'secret-stdin', 'secret-prompt'] as const).filter((name) => flags[name]);
    if (given.length > 1)
      this.problems.push(invalid(given.map((name) => `--${name}`).join(' and '), 'cannot be used together'));
    if (given.length && flags['encrypted-value'] !== undefined)
      this.problems.push(invalid(`--${given[0]}`, 'cannot be used with --encrypted-value, which is already sealed'));
    if (flags['secret-encoding'] && !flags['secret-file'] && !flags['secret-stdin'])
      this.problems.push(invalid('--secret-encoding', 'requires --secret-file or --secret-stdin'));
    if (flags['secret-prompt']) this.needsAskedSecret();
    if (this.#wouldEcho(flags) && !this.input.canPrompt())
      this.problems.push(invalid('--secret-stdin', 'requires a pipe or a file, not a terminal'));
    return given.length > 0;
  }

  /** Reports a missing secret when prompts are disabled. */
  protected needsAskedSecret(): void {
    if (this.input.canPrompt()) return;
    this.problems.push(missing('--secret-file or --secret-stdin', 'is required when prompts are disabled'));
  }

  /** Returns whether standard input is a terminal, which would echo the secret; forgectl prompts for it instead. */
  #wouldEcho({ 'secret-file': file, 'secret-stdin': stdin }: SecretSource): boolean {
    return (stdin || isStdin(file)) && this.runtime.stdin.isTTY === true;
  }

  /** Reads the secret and seals it with the organization's current key. The secret is never stored. */
  protected async sealSecret(org: string, source: SecretSource): Promise<SealedSecret> {
    const secret = await this.readSecret(source);
    this.addSentSecret(Buffer.from(secret).toString());
    const key = await this.call(getRegistryPublicKey, { path: { org } });
    const { seal } = await import('../../client/seal.ts');
    return seal(key, secret);
  }

  private async readSecret(source: SecretSource): Promise<Uint8Array> {
    const bytes = await this.rawSecret(source);
    const secret = source['secret-encoding'] === 'binary' ? bytes : textSecret(bytes);
    if (secret.length === 0) throw new UsageError('The secret is empty. Nothing was sent.');
    return secret;
  }

  private async rawSecret(source: SecretSource): Promise<Buffer> {
    const { 'secret-file': file, 'secret-stdin': stdin } = source;
    if (file !== undefined && !isStdin(file)) return readBytes(file, this.runtime.stdin, '--secret-file');
    const fromStdin = stdin || isStdin(file);
    if (fromStdin && !this.#wouldEcho(source)) return readBytes('-', this.runtime.stdin);
    const { promptSecret } = await import('../../cli/input/prompts/prompts.ts');
    const given = (secret: string) => (secret === '' ? 'must not be empty' : undefined);
    const secret = Buffer.from(await promptSecret('Registry secret:', this.runtime, given));
    if (!fromStdin) await this.input.noteReplacedFlag('secret-prompt', '--secret-stdin');
    return secret;
  }
}

/** Throws UsageError for a secret that is not UTF-8 text. */
function textSecret(secret: Buffer): Uint8Array {
  const asBytes = 'To seal the bytes unchanged, use --secret-encoding binary.';
  if (!isUtf8(secret)) throw new UsageError(`The secret ${notUtf8}. Nothing was sent.`, asBytes);
  if (startsWithByteOrderMark(secret))
    throw new UsageError('The secret starts with a byte order mark. Nothing was sent.', `Remove it. ${asBytes}`);
  return withoutNewline(secret);
}
