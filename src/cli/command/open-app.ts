/** Opens the tokens of an app. Loaded only by runs that are logged in as one. */
import { AppJwt } from '../../client/app-jwt.ts';
import { Client } from '../../client/client.ts';
import { InstallationTokens } from '../../client/installation-tokens.ts';
import type { Platform } from '../../client/platform.ts';
import { createTransport, type TransportOptions } from '../../client/transport/transport.ts';
import type { SourcedApp } from '../account/credentials.ts';

interface AppSurroundings {
  readonly platform: Platform;
  /** Options of the transport for the app's own requests. */
  readonly transport: TransportOptions & { readonly now: () => number };
  readonly addSecret: (secret: string) => void;
}

/** Returns the source of the tokens that a run is authorized with. */
export function openAppTokens(
  { app: { id, installation, narrowing, sign }, origin }: SourcedApp,
  { platform, transport: options, addSecret }: AppSurroundings,
): InstallationTokens {
  const { now, onDebug } = options;
  const jwt = new AppJwt({ appId: id, origin, sign, now, onToken: addSecret });
  const transport = createTransport({
    ...options,
    // The only writes are for tokens. They create no content, and follow each other without a pause, as in Octokit.
    betweenWritesMs: 0,
    // Requests are numbered for each transport.
    onDebug: onDebug && ((line) => onDebug(`app ${line}`)),
  });
  return new InstallationTokens({
    jwt,
    client: new Client({ platform, credential: jwt, transport }),
    installation,
    narrowing,
    now,
    onToken: addSecret,
  });
}
