/** Parses the address that a server listens on, and its host names. All functions throw BadValue. */
import { isIPv4 } from 'node:net';
import { BadValue } from './values.ts';

export function portNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535)
    throw new BadValue('must be a port from 0 to 65535, where 0 selects a free port');
  return value;
}

export function ipAddress(text: string): string {
  if (!isIPv4(text) && text !== '::') throw new BadValue('must be an IPv4 address or ::, such as 0.0.0.0');
  return text;
}

export function hostNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => !/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(name)))
    throw new BadValue('must be host names without ports, separated by commas, such as sandbox,forge.test');
  return names;
}
