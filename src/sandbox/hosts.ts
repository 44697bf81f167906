/** Whom requests are for. */

/**
 * Returns whether a `Host` header names this machine: `localhost`, a name below it, 127.0.0.0/8 or ::1, with any port. A web page
 * whose own name was pointed here (DNS rebinding) sends that name, and browsers let no page choose another.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host?.toLowerCase() ?? '') ?? [];
  return /^(?:.+\.)?localhost$/.test(name) || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
