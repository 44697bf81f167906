/** The organizations and the enterprise of an export, and their folders. */
import { join } from 'node:path';
import type { Session } from '../../cli/command/session.ts';
import { UsageError } from '../../cli/errors.ts';
import { invalidResponse } from '../../client/response.ts';
import { isFolderName } from '../../fleet/policy/file-names.ts';
import type { OwnerPolicy } from '../../fleet/policy/wanted/model.ts';
import { listAppInstallations } from '../../platform/endpoints/apps.ts';

export type Owner = Pick<OwnerPolicy, 'kind' | 'name'>;

/** An enterprise may have the name of an organization. */
export const folderOf = ({ kind, name }: Owner): string => (kind === 'enterprise' ? `enterprise-${name}` : name);

/** Throws UsageError if an organization has the folder of the enterprise. */
export function requireOwnFolders(owners: readonly Owner[], dir: string): void {
  const enterprise = owners.find(({ kind }) => kind === 'enterprise');
  if (!enterprise) return;
  const folder = folderOf(enterprise);
  if (owners.some(({ kind, name }) => kind === 'organization' && name.toLowerCase() === folder.toLowerCase()))
    throw new UsageError(
      `The organization ${folder} and the enterprise ${enterprise.name} would share the folder ${join(dir, folder)}. Nothing was written.`,
      'Export them to different folders with --dir.',
    );
}

/** Returns the logins of the organizations with an installation of the app. Throws InvalidResponseError. */
export async function installedOrganizations(session: Pick<Session, 'list'>): Promise<readonly string[]> {
  const installations = await session.list(listAppInstallations, {}, { all: true }, {});
  return (await installations.records()).flatMap(({ target_type: type, account }) => {
    if (type !== 'Organization' || !account) return [];
    const { login } = account;
    if (login !== undefined && isFolderName(login)) return [login];
    throw invalidResponse(
      { method: 'GET', path: '/app/installations', endpoint: listAppInstallations },
      'an installation on an organization without a valid login',
    );
  });
}
