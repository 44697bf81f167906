/** What a sandbox prints when it is ready. */
import type { TokenName } from './seed/tokens.ts';
import type { AppInstallation, Sandbox } from './serve.ts';

/** The JSON output of a sandbox that is ready. */
export interface Announcement {
  base_url: string;
  /** The classic token. */
  token: string;
  /** A token of each kind, tokens of people with a role in acme, and a token without scopes. */
  tokens: Readonly<Record<TokenName, string>>;
  /** An app, with the file of its private key; the file is removed when the sandbox stops. */
  app: {
    id: number;
    private_key_file: string;
    installations: readonly AppInstallation[];
  };
}

/** Returns lines for a shell: `eval "$(…)"` runs the first two and ignores the rest. */
export function announcementLines({ baseUrl, tokens, app }: Sandbox, keyFile: string): string {
  const { classic, ...others } = tokens;
  return [
    `export FORGECTL_BASE_URL=${baseUrl}`,
    `export FORGECTL_TOKEN=${classic}`,
    ...Object.entries(others).map(([kind, token]) => `# ${kind}: ${token}`),
    `# app: id ${app.id}, private key in ${keyFile}`,
    '',
  ].join('\n');
}

export function announcementJson({ baseUrl, tokens, app: { id, installations } }: Sandbox, keyFile: string): string {
  const app = { id, private_key_file: keyFile, installations };
  const said: Announcement = { base_url: baseUrl, token: tokens.classic, tokens, app };
  return `${JSON.stringify(said)}\n`;
}
