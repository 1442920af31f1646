import ipaddr from 'ipaddr.js';
import { defaultPorts, type Scheme } from '../../../shared/base/transport.ts';
import type { Permit } from '../../../shared/target/target.ts';

/** A host that an operator allows: the addresses that a name resolves to, or those of a range. One address is a range of one. */
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

/** Prints a host to store and show; the text parses to the same host. */
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
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
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

/** Reads a hostname like a URL parser: `0x0a.1` is an address, and full-width digits are digits. */
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

/**
 * Which targets may be loaded: this machine's loopback addresses, and other hosts that somebody has allowed.
 * A name says nothing about where it leads, so names are parsed here and addresses are judged after the lookup.
 */

type ParsedOrigin = { hostname: string; port: number };
type OriginJudgement = { valid: true; origin: ParsedOrigin } | { valid: false; reason: string };
/** `permit` is null on this machine. */
type AddressJudgement = { permitted: true; permit: Permit | null } | { permitted: false; reason: string };

/**
 * Parses an origin such as `http://127.0.0.1:8080`. The URL parser normalizes odd spellings (`0x7f.1`, `2130706433`),
 * so `hostname` is what will really be looked up; an IPv6 address loses its brackets.
 */
export function judgeOrigin(text: string, scheme: Scheme): OriginJudgement {
  const example = `${scheme}://127.0.0.1:${scheme === 'http' ? 8080 : 8443}`;
  const url = URL.parse(text);
  if (url === null || url.hostname === '') {
    return { valid: false, reason: `“${text}” is not an origin. Write it as ${example}.` };
  }
  if (url.protocol !== `${scheme}:`) {
    return { valid: false, reason: `“${text}” does not start with ${scheme}://. Write it as ${example}.` };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      valid: false,
      reason: `Leave the user name and password out of “${url.origin}”.`,
    };
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return { valid: false, reason: `End “${text}” after the port. Paths belong in the scenario.` };
  }
  if (url.port === '0') {
    return { valid: false, reason: `“${text}” uses port 0, where nothing can listen. Correct the port.` };
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return { valid: true, origin: { hostname, port: Number(url.port) || defaultPorts[scheme] } };
}

/**
 * Judges an IP address as a lookup returns it, an IPv4 address mapped into IPv6 as the IPv4 address.
 * @param hostname that led to it; the address itself where no name did
 * @param permits of which the narrowest counts
 */
export function judgeAddress(
  address: string,
  hostname: string = address,
  permits: readonly Permit[] = [],
): AddressJudgement {
  const parsed = parseAddress(address);
  if (parsed === null) return { permitted: false, reason: `“${address}” is not an IP address.` };
  const range = parsed.range();
  if (range === 'loopback') return { permitted: true, permit: null };
  const isMetadata = metadata.some(([network, bits]) => isWithin(parsed, network, bits));
  const kind = `${descriptions[range] ?? `in the range “${range}”`}${isMetadata ? ' (a metadata address)' : ''}`;
  if (isMetadata || !allowable.has(range) || isOutsideUnicast(parsed)) {
    return { permitted: false, reason: `${address} is ${kind}, ${neverAllowed}` };
  }
  const permit = narrowest(permits.filter((each) => covers(each, parsed, hostname)));
  if (permit !== null) return { permitted: true, permit };
  return {
    permitted: false,
    reason: `${address} is ${kind}, and nobody has allowed ${plainHostname(hostname)}. Allow it at /targets.`,
  };
}

/** Whether a connection to a host may come about, as far as its name tells: a name may lead into any range that is allowed. */
export function mayBeReached(hostname: string, permits: readonly Permit[]): boolean {
  if (parseAddress(hostname) !== null) return judgeAddress(hostname, hostname, permits).permitted;
  const hosts = permits.map(({ host }) => parseHost(host));
  return hosts.some(
    (each) => each.valid && (each.host.kind === 'range' || each.host.name === plainHostname(hostname)),
  );
}

/** Why a host is not to be allowed, because none of it ever could be; null when it can. */
export function demandAllowable(host: Host): string | null {
  if (host.kind === 'name') return null;
  const address = host.network.toString();
  if (host.network.range() === 'loopback') return `${address} is this machine, which is always allowed.`;
  // Both ends of a range are in what is never allowed only where all of it is.
  const reasons = [address, lastOf(host)].map(neverReason);
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

function neverReason(address: string): string | null {
  const verdict = judgeAddress(address);
  return !verdict.permitted && verdict.reason.endsWith(neverAllowed) ? verdict.reason : null;
}

function lastOf({ network, bits }: Extract<Host, { kind: 'range' }>): string {
  const range = `${network.toString()}/${bits}`;
  const parser = network.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return parser.broadcastAddressFromCIDR(range).toString();
}

/** Whether a connection leads to the address that was judged; a socket prints addresses in its own way. */
export function isAddress(remote: string | undefined, judged: string): boolean {
  if (remote === judged) return true;
  return remote !== undefined && parseAddress(remote)?.toString() === parseAddress(judged)?.toString();
}

const neverAllowed = 'which is never allowed.';

type Address = NonNullable<ReturnType<typeof parseAddress>>;

function covers({ host }: Permit, address: Address, hostname: string): boolean {
  const judgement = parseHost(host);
  if (!judgement.valid) return false;
  if (judgement.host.kind === 'name') return judgement.host.name === plainHostname(hostname);
  return isWithin(address, judgement.host.network, judgement.host.bits);
}

/** A name before any range, and of ranges the one with the fewest addresses. */
function narrowest(permits: readonly Permit[]): Permit | null {
  const width = ({ host }: Permit) => {
    const judgement = parseHost(host);
    if (!judgement.valid || judgement.host.kind === 'name') return -1;
    return (judgement.host.network.kind() === 'ipv4' ? 32 : 128) - judgement.host.bits;
  };
  return permits.toSorted((a, b) => width(a) - width(b))[0] ?? null;
}

function isWithin(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Whether an IPv6 address contains an IPv4 address (`::127.0.0.1`) or is from a range that was never assigned. */
function isOutsideUnicast(address: Address): boolean {
  return address.range() === 'unicast' && address.kind() === 'ipv6' && !isWithin(address, globalUnicast, 3);
}

const globalUnicast = ipaddr.parse('2000::');

/** Addresses where clouds serve credentials to anyone who asks from inside. */
const metadata = (
  [
    ['169.254.169.254', 32],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.192', 32],
    ['fd00:ec2::', 32],
    ['fd20:ce::254', 128],
  ] as const
).map(([address, bits]) => [ipaddr.parse(address), bits] as const);

/** All others lead somewhere else than they seem to, to many hosts at once, or to none. */
const allowable = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat']);

const descriptions: Record<string, string> = {
  unicast: 'a public address',
  unspecified: 'the unspecified address',
  broadcast: 'the broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'link-local',
  private: 'an address of a private network',
  uniqueLocal: 'an address of a private network',
  carrierGradeNat: 'an address behind a carrier’s NAT',
  reserved: 'a reserved address',
  benchmarking: 'an address reserved for benchmarks',
  rfc6052: 'a NAT64 address',
  rfc6145: 'a translated IPv4 address',
  '6to4': 'a 6to4 address',
  teredo: 'a Teredo address',
};

/** A listener of this dashboard: an address or a range, and a port. */
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
