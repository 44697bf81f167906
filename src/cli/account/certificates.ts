/** The user's file of additional trusted certificates. */
import { X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { UsageError } from '../errors.ts';
import { bytesOf, largestInput } from '../input/sources.ts';
import { BadSetting } from './bad-setting.ts';

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns the text of a file of valid PEM certificates. Throws BadSetting, which names the setting. */
export async function readCertificates(file: string): Promise<string> {
  const text = await textOf(file);
  const certificates = text.match(block) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new BadSetting(
      `ca-file ${file} ${certificates.length === 0 ? 'contains no certificate' : 'contains an invalid certificate'}. Expected PEM text that starts with -----BEGIN CERTIFICATE-----.`,
    );
  return text;
}

async function textOf(file: string): Promise<string> {
  try {
    return (await bytesOf(createReadStream(file), `ca-file ${file}`, largestInput)).toString();
  } catch (error) {
    if (error instanceof UsageError) throw new BadSetting(error.message);
    throw new BadSetting(`Cannot read ca-file ${file}: ${whyUnreadable(error) ?? (error as Error).message}.`);
  }
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
