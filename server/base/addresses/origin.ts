import { defaultPorts, schemeOf } from '../../../shared/base/transport.ts';
import type { Listener } from '../../../shared/target/target.ts';

type Place = Pick<Listener, 'transport' | 'hostname' | 'port'>;

/** `https://shop.test:8443`, as a user writes it. */
export function originOf(listener: Place): string {
  return `${schemeOf(listener.transport)}://${hostOf(listener)}`;
}

/** Value of the Host header: the scheme's default port is left out, as browsers do. */
export function hostOf({ transport, hostname, port }: Place): string {
  const name = bracketed(hostname);
  return port === defaultPorts[schemeOf(transport)] ? name : `${name}:${port}`;
}

/** Address and port that connections really go to. */
export function endpointOf({ address, port }: Pick<Listener, 'address' | 'port'>): string {
  return `${bracketed(address)}:${port}`;
}

/**
 * The address that a Location or a link stands for, as a browser resolves it; null for none. Two slashes at its beginning
 * lead to another host: a scenario's path is joined to its origin as text, and the check permits a base here alone.
 */
export function resolveReference(reference: string, base: string): URL | null {
  return URL.parse(reference, base);
}

/** Puts an IPv6 address in brackets, for a URL. */
export function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}
