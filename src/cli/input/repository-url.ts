/** Repositories and organizations given by their web address or as a Git remote, instead of OWNER/NAME. */
import { normalizeBaseUrl } from '../../client/platform.ts';

interface Address {
  /** With the port if it is the web's. */
  readonly host: string;
  /** True for SSH, whose port may differ from that of the web. */
  readonly isRemote: boolean;
  /** OWNER/NAME, or OWNER. */
  readonly path: string;
}

/** An argument or flag with an address, whose host must be that of the platform in use. */
export interface GivenAddress extends Address {
  readonly field: string;
}

/** Returns the parts of `https://HOST/OWNER/NAME`, `ssh://git@HOST/OWNER/NAME` or `git@HOST:OWNER/NAME`. */
export function addressOf(text: string): Address | undefined {
  const [, host = '', path = ''] = /^[\w.-]+@([\w.-]+):([^:]+)$/.exec(text) ?? [];
  if (host !== '') return { host, isRemote: true, path };
  const url = /^(?:https?|ssh):\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) return undefined;
  const isRemote = url.protocol === 'ssh:';
  return { host: isRemote ? url.hostname : url.host, isRemote, path: url.pathname.replace(/^\/|\/$/g, '') };
}

/** Returns whether an address belongs to the platform with this base URL. */
export function isOn(baseUrl: string, { host, isRemote }: Address): boolean {
  const given = new URL(normalizeBaseUrl(`https://${host}`));
  const platform = new URL(baseUrl);
  return isRemote ? given.hostname === platform.hostname : given.host === platform.host;
}
