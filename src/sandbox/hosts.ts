/** Checks the host of requests. */

/**
 * Returns whether a `Host` header names this machine: `localhost`, a name below it, 127.0.0.0/8 or ::1, with any port.
 * A web page whose name resolves to this machine (DNS rebinding) sends its own name, which browsers do not let it
 * change.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host?.toLowerCase() ?? '') ?? [];
  return /^(?:.+\.)?localhost$/.test(name) || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
