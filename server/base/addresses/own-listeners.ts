import { parseAddress, parseHost } from './parse-host.ts';

/** Where this dashboard listens: an address or a range of them, and a port. */
export type OwnListener = { host: string; port: number };

/**
 * Why an address may not be a target whatever was allowed: it is the dashboard itself. A scenario says what it likes in its
 * headers, so one that led here could pretend to come from the dashboard's own page. Null for every other address.
 */
export function reasonAgainstOwn(
  address: string,
  port: number,
  listeners: readonly OwnListener[],
): string | null {
  const parsed = parseAddress(address);
  if (parsed === null) return null;
  const isOwn = listeners.some((own) => {
    const { valid, host } = { host: null, ...parseHost(own.host) };
    if (!valid || host === null || host.kind === 'name' || own.port !== port) return false;
    return parsed.kind() === host.network.kind() && parsed.match(host.network, host.bits);
  });
  return isOwn ? `${address} with port ${port} is this dashboard, which is never a target.` : null;
}
