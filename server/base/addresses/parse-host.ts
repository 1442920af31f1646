import ipaddr from 'ipaddr.js';

/** What an operator allows: the addresses that a name leads to, or those of a range. One address is a range of one. */
export type Host =
  | { kind: 'name'; name: string }
  | { kind: 'range'; network: ipaddr.IPv4 | ipaddr.IPv6; bits: number };

type HostJudgement = { valid: true; host: Host } | { valid: false; reason: string };

/** A range that is wider is no host that somebody has asked to be loaded. */
const fewestBits = { ipv4: 8, ipv6: 32 } as const;

/** Parses a name, an address or a range. Odd spellings become what a socket would take them for. */
export function parseHost(text: string): HostJudgement {
  const slash = text.indexOf('/');
  if (slash >= 0 && !/^[\da-f.:]+\/\d{1,3}$/i.test(text)) {
    return refused(`“${text}” is neither a host nor a range. Write it without scheme, port and path.`);
  }
  const hostname = hostnameOf(slash < 0 ? text : text.slice(0, slash));
  if (hostname === null) {
    return refused(`“${text}” is not a host. Write it as staging.example.com, 10.1.2.3 or 10.1.0.0/16.`);
  }
  const address = parseAddress(hostname);
  if (address === null) return slash < 0 ? parseName(hostname) : refused(`“${text}” is not a range.`);
  if (slash >= 0 && address.kind() === 'ipv4' && text.includes(':')) {
    return refused(`Write “${text}” as the range of IPv4 addresses that it stands for.`);
  }
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  const bits = slash < 0 ? whole : Number(text.slice(slash + 1));
  if (bits > whole) return refused(`“${text}” has more bits than its address.`);
  const fewest = fewestBits[address.kind()];
  if (bits < fewest) return refused(`“${text}” is too wide. Allow /${fewest} or less at a time.`);
  return { valid: true, host: { kind: 'range', network: networkOf(address, bits), bits } };
}

/** As it is stored and shown; parses to the same host. */
export function printHost(host: Host): string {
  if (host.kind === 'name') return host.name;
  const single = host.bits === (host.network.kind() === 'ipv4' ? 32 : 128);
  return single ? host.network.toString() : `${host.network.toString()}/${host.bits}`;
}

/** A name in lower case and without a dot at its end, an address as sockets print it. */
export function plainHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

/** ipaddr.js is more lenient than sockets are: it reads `0177.0.0.1`, and takes `::127.0.0.1` for a mapped address. */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  const shortest = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  return shortest === undefined ? null : ipaddr.process(shortest);
}

function parseName(name: string): HostJudgement {
  if (!/^[a-z\d_-]+(\.[a-z\d_-]+)*$/.test(name)) {
    return refused(`“${name}” is not a host name. Allow each host by its own name.`);
  }
  if (/(^|\.)localhost$/.test(name)) return refused(`${name} is this machine, which is always allowed.`);
  return { valid: true, host: { kind: 'name', name } };
}

/** As a URL reads it: `0x0a.1` is an address, and full-width digits are digits. */
function hostnameOf(text: string): string | null {
  if (/[@?#\\/\s]/.test(text)) return null;
  const bare = text.replace(/^\[|\]$/g, '');
  const url = URL.parse(bare.includes(':') ? `http://[${bare}]` : `http://${bare}`);
  return url === null || url.hostname === '' ? null : plainHostname(url.hostname.replace(/^\[|\]$/g, ''));
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): ipaddr.IPv4 | ipaddr.IPv6 {
  const cidr = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr);
}

function refused(reason: string): HostJudgement {
  return { valid: false, reason };
}
