import { defaultPorts, schemeOf } from '../../../shared/base/transport.ts';
import type { Listener } from '../../../shared/target/target.ts';

/** `https://shop.test:8443`, as a user writes it. */
export function originOf(listener: Listener): string {
  return `${schemeOf(listener.transport)}://${hostOf(listener)}`;
}

/** Value of the Host header: the scheme's default port is left out, as browsers do. */
export function hostOf({ transport, hostname, port }: Listener): string {
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  return port === defaultPorts[schemeOf(transport)] ? name : `${name}:${port}`;
}

/** Address and port that connections really go to. */
export function endpointOf({ address, port }: Listener): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
