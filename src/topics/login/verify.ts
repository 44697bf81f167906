/** Verifies a login with the platform before it is stored. */
import { type Account, identify } from '../../cli/account/account.ts';
import type { AppLogin } from '../../cli/account/app/login.ts';
import type { Connection } from '../../cli/account/connection.ts';
import type { AppRecord } from '../../cli/account/settings.ts';
import { tokenKindOf } from '../../cli/account/token-kind.ts';
import type { Session } from '../../cli/command/session.ts';
import { NotLoggedInError, UsageError } from '../../cli/errors.ts';
import type { Client } from '../../client/client.ts';
import {
  ApiError,
  AuthenticationError,
  InvalidResponseError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from '../../client/errors.ts';
import type { TokenKind } from '../../platform/endpoint.ts';

/** An app and the installation that it has selected, if any. */
export interface VerifiedApp {
  id: number;
  /** Null if the app has several, and none is selected. */
  installation_id: number | null;
  permissions: Readonly<Record<string, string>> | null;
}

/** A verified login, which is not stored yet. */
interface VerifiedLogin {
  /** Absent if a program signs in place of an app's key. */
  readonly secret: string | undefined;
  readonly account: Account;
  readonly app?: AppRecord;
  readonly checkedApp?: VerifiedApp;
}

/** Verifies a token. Throws NotLoggedInError for one that the platform rejects, and UsageError for another server. */
export async function verifyToken(session: Session, anonymous: Connection, token: string): Promise<VerifiedLogin> {
  const tokenKind = tokenKindOf(token);
  use(session, anonymous, { token }, tokenKind);
  const account = await verified(session, anonymous, (client) => identify(client, tokenKind));
  return { secret: token, account };
}

/** Verifies the key of an app. Throws as `verifyToken` does. */
export async function verifyApp(
  session: Session,
  anonymous: Connection,
  login: AppRecord,
  env: NodeJS.ProcessEnv,
): Promise<VerifiedLogin> {
  const { readAppLogin } = await import('../../cli/account/app/login.ts');
  const { identifyApp, selectedToken } = await import('../../cli/account/app/identify.ts');
  const { record, app } = await readAppLogin(login, env);
  use(session, anonymous, { app }, 'installation');
  return verified(session, anonymous, async (client) => {
    const { appId: id, ...account } = await identifyApp(client);
    const token = await selectedToken(client);
    const { installationId: installation_id = null, permissions = null } = token ?? {};
    return { secret: app.key, account, app: record, checkedApp: { id, installation_id, permissions } };
  });
}

function use(
  session: Session,
  anonymous: Connection,
  secret: { readonly token: string } | { readonly app: AppLogin },
  tokenKind: TokenKind | undefined,
): void {
  const { origin } = new URL(anonymous.platform.baseUrl);
  session.use({ ...anonymous, credential: { ...secret, origin, source: 'environment' }, tokenKind });
}

async function verified<T>(
  session: Session,
  { platform: { baseUrl } }: Connection,
  identified: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await identified(await session.client());
  } catch (error) {
    throw refusal(error, baseUrl);
  }
}

/** Returns the error for a failed verification, with advice; any other error unchanged. */
function refusal(error: unknown, baseUrl: string): unknown {
  const found = otherServer(error);
  if (found !== undefined)
    return new UsageError(
      `${baseUrl} does not look like a platform’s API. ${found}. Nothing was stored.`,
      'Check the base URL: self-managed platforms use https://HOST/api/v3.',
    );
  if (!(error instanceof AuthenticationError || error instanceof NotFoundError)) return error;
  const reason = withoutStop(error.refusal.message);
  if (error instanceof NotFoundError)
    return new NotLoggedInError(
      `GET /app at ${baseUrl} returned 404 ${reason}. Nothing was stored.`,
      'Check the app ID and the base URL.',
    );
  const { asApp } = error.asked.endpoint ?? {};
  return new NotLoggedInError(
    `${baseUrl} rejected the ${asApp ? 'private key' : 'token'}: ${reason}. Nothing was stored.`,
    asApp
      ? 'Check that the key belongs to this app and has not been deleted.'
      : 'Check that the token is complete, belongs to this platform and has not expired.',
  );
}

/** Returns the response, as a clause, that only another server sends; undefined for other errors. */
function otherServer(error: unknown): string | undefined {
  // A server that mints tokens is a platform.
  if (error instanceof InvalidResponseError)
    return error.asked.method === 'GET' ? withoutStop(error.message) : undefined;
  if (!(error instanceof ApiError) || error instanceof RateLimitError || error instanceof ServerError) return undefined;
  const { asked, refusal } = error;
  const isOther = refusal.mediaType !== undefined || (error instanceof NotFoundError && !asked.endpoint?.asApp);
  return isOther ? `GET ${asked.path} returned ${refusal.status} ${withoutStop(refusal.message)}` : undefined;
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');
