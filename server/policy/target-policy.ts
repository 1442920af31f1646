import ipaddr from 'ipaddr.js';
import { defaultPorts, type Scheme } from '../../shared/transport.ts';

/**
 * Which targets may be loaded: this machine's loopback addresses, nothing else.
 * A name says nothing about where it leads, so names are parsed here and addresses are judged after the lookup.
 */

export type ParsedOrigin = { hostname: string; port: number };
export type OriginJudgement = { valid: true; origin: ParsedOrigin } | { valid: false; reason: string };
export type AddressJudgement = { permitted: true } | { permitted: false; reason: string };

/**
 * Parses an origin such as `http://127.0.0.1:8080`. The URL parser normalises odd spellings (`0x7f.1`, `2130706433`),
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

/** Judges an IP address as a lookup returns it, an IPv4 address mapped into IPv6 as the IPv4 address. */
export function judgeAddress(address: string): AddressJudgement {
  const parsed = parseAddress(address);
  if (parsed === null) return { permitted: false, reason: `“${address}” is not an IP address.` };
  const range = parsed.range();
  if (range === 'loopback') return { permitted: true };
  const kind = metadataAddresses.has(parsed.toString())
    ? `${descriptions[range] ?? range} (a metadata address)`
    : (descriptions[range] ?? `in the range “${range}”`);
  return {
    permitted: false,
    reason: `${address} is ${kind}, but only this machine’s loopback addresses are allowed.`,
  };
}

/** ipaddr.js is more lenient than sockets are: it reads `0177.0.0.1`, and takes `::127.0.0.1` for a mapped address. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  const shortest = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  return shortest === undefined ? null : ipaddr.process(shortest);
}

/** Where clouds serve credentials to whoever asks from inside. */
const metadataAddresses = new Set(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16']);

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
  benchmarking: 'an address set aside for benchmarks',
  rfc6052: 'a NAT64 address',
  rfc6145: 'a translated IPv4 address',
  '6to4': 'a 6to4 address',
  teredo: 'a Teredo address',
};
