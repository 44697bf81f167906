/** The app that a run is logged in as. */
import type { Client } from '../../../client/client.ts';
import { AppLoginError } from '../../../client/errors.ts';
import { InstallationTokens, type MintedToken } from '../../../client/installation-tokens.ts';
import { getApp } from '../../../platform/endpoints/apps.ts';
import { type Account, vendorIn, versionIn } from '../account.ts';

export interface AppAccount extends Account {
  readonly login: string;
  readonly appId: number;
}

/** Identifies the app, whether it is installed or not. */
export async function identifyApp(client: Client): Promise<AppAccount> {
  const { data, headers } = await client.send(client.plan(getApp, {}));
  return {
    appId: data.id,
    login: data.slug ?? data.name,
    tokenKind: 'installation',
    scopes: null,
    expiresAt: null,
    vendor: vendorIn(headers),
    platformVersion: versionIn(headers) ?? null,
  };
}

/** Returns the token of the installation in use. Throws AppLoginError if the app has none, or several. */
export async function installationToken({ credential }: Client): Promise<MintedToken> {
  if (!(credential instanceof InstallationTokens)) throw new Error('The run is not logged in as an app.');
  return credential.current({ method: 'GET', path: '/installation/repositories' });
}

/** Returns the token of the installation in use; undefined if the app has several. Throws AppLoginError if it has none. */
export async function selectedToken(client: Client): Promise<MintedToken | undefined> {
  try {
    return await installationToken(client);
  } catch (error) {
    if (error instanceof AppLoginError && error.wrong === 'choice') return undefined;
    throw error;
  }
}
