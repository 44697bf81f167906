/** Checks the host of requests. */

/**
 * Returns whether a `Host` header names this machine: `localhost`, a name below it, 127.0.0.0/8 or ::1, with any port.
 * A web page whose name resolves to this machine (DNS rebinding) sends its own name, which browsers do not let it
 * change.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = nameOf(host);
  return /^(?:.+\.)?localhost$/.test(name) || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Returns whether a `Host` header names one of these hosts, with any port. */
export const isOneOf = (host: string | undefined, allowed: readonly string[]): boolean =>
  allowed.includes(nameOf(host));

const nameOf = (host = ''): string => /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.toLowerCase())?.[1] ?? '';
