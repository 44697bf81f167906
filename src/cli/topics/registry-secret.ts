/** Where the secret of a private registry comes from, and how it is sealed before it leaves. */
import * as Flags from '@oclif/core/flags';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import { type Given, invalid } from '../../platform/validate.ts';
import { readAll, readGivenFile } from '../body-input.ts';
import { ForgectlCommand } from '../command.ts';
import { UsageError } from '../errors.ts';

export const secretFlags = {
  'secret-file': Flags.string({
    helpValue: 'FILE|-',
    description: 'Read the secret from a file, or from standard input with -; one trailing newline is dropped',
  }),
  'secret-stdin': Flags.boolean({
    description: 'Read the secret from standard input; one trailing newline is dropped',
  }),
};

export interface SecretSource {
  readonly 'secret-file'?: string | undefined;
  readonly 'secret-stdin'?: boolean | undefined;
  readonly 'secret-prompt'?: boolean | undefined;
}

/** What sealing makes: nobody is asked for it. */
export const sealedFields = ['encrypted_value', 'key_id'];

/** Stands in the body for a secret that is still to be sealed, so that everything else is checked before it is read. */
export const pendingSecret: Given = { encrypted_value: '(sealed later)', key_id: '(sealed later)' };

/** A command that seals a secret with an organization's public key. */
export abstract class SecretSealingCommand<T> extends ForgectlCommand<T> {
  /** True when a flag says where the secret is; notes what cannot go together. */
  protected namesSecret(flags: SecretSource & { readonly 'encrypted-value'?: unknown }): boolean {
    const given = (['secret-file', 'secret-stdin', 'secret-prompt'] as const).filter((name) => flags[name]);
    if (given.length > 1)
      this.problems.push(invalid(given.map((name) => `--${name}`).join(' and '), 'do not go together'));
    if (given.length && flags['encrypted-value'] !== undefined)
      this.problems.push(
        invalid(`--${given[0]}`, 'does not go with --encrypted-value, which is a secret sealed already'),
      );
    return given.length > 0;
  }

  /** Reads the secret and seals it with the organization's current key. Nothing of it is kept. */
  protected async sealSecret(org: string, source: SecretSource): Promise<{ key_id: string; encrypted_value: string }> {
    const secret = await this.readSecret(source);
    const key = await this.call(getRegistryPublicKey, { path: { org } });
    const { seal } = await import('../../client/seal.ts');
    return seal(key, secret);
  }

  private async readSecret(source: SecretSource): Promise<Uint8Array> {
    const secret = withoutNewline(await this.rawSecret(source));
    if (secret.length === 0) throw new UsageError('The secret is empty. Nothing was sent.');
    return secret;
  }

  private async rawSecret({ 'secret-file': file, 'secret-stdin': stdin }: SecretSource): Promise<Buffer> {
    if (file !== undefined && file !== '-') return readGivenFile(file, `--secret-file ${file}`);
    const fromStdin = stdin || file === '-';
    // Keys would be echoed, and on a screen a secret stays.
    if (fromStdin && !this.runtime.stdin.isTTY) return Buffer.from(await readAll(this.runtime.stdin));
    if (!this.mayAsk())
      throw new UsageError(
        fromStdin
          ? 'The secret is to come from standard input, which is a keyboard here. Nothing was sent.'
          : 'There is no secret, and nobody can be asked for one.',
        'Give it with --secret-file FILE, or through a pipe with --secret-stdin.',
      );
    const { promptSecret } = await import('../prompts.ts');
    const given = (secret: string) => (secret === '' ? 'must not be empty' : undefined);
    const secret = Buffer.from(await promptSecret('Secret of the registry:', this.runtime, given));
    if (!fromStdin) this.noteAsked('--secret-stdin');
    return secret;
  }
}

/** Editors and `echo` end what they write with a newline that is no part of the secret: exactly one is dropped. */
function withoutNewline(secret: Buffer): Uint8Array {
  if (secret.at(-1) !== 0x0a) return secret;
  return secret.subarray(0, secret.at(-2) === 0x0d ? -2 : -1);
}
