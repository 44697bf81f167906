/** Writes a settings directory as earlier logins would have left it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Written {
  readonly active?: string;
  readonly profiles: Readonly<Record<string, object>>;
  readonly aliases?: Readonly<Record<string, string>>;
  /** By profile, what the credentials file holds. */
  readonly tokens?: Readonly<Record<string, { readonly origin: string; readonly token: string }>>;
}

export function writeProfiles(directory: string, { active, profiles, aliases, tokens = {} }: Written): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'config.json'), JSON.stringify({ profile: active, profiles, aliases }));
  writeFileSync(join(directory, 'credentials.json'), JSON.stringify(tokens), { mode: 0o600 });
}
