import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import { readProc } from './proc-files.ts';

/**
 * Inodes of the sockets that accept connections to an address and port: bound to it, or else to all addresses.
 * @param address null for any
 */
export function listeningInodes(address: string | null, port: number): Set<string> {
  const sockets = allListening();
  if (address === null) {
    return new Set(sockets.flatMap((socket) => (socket.port === port ? [socket.inode] : [])));
  }
  for (const local of candidates(address)) {
    const inodes = sockets.filter((socket) => socket.port === port && socket.address === local);
    if (inodes.length > 0) return new Set(inodes.map((socket) => socket.inode));
  }
  return new Set();
}

export function allListening(): ListeningSocket[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => parseListening(readProc(path) ?? ''));
}

/** The kernel prefers the closest match; an IPv6 socket takes IPv4 connections under a mapped address. */
function candidates(address: string): string[] {
  if (isIPv6(address)) return [hexOfIPv6(address), '0'.repeat(32)];
  const bytes = hexOfIPv4(address);
  return [bytes, `${'0'.repeat(20)}FFFF${bytes}`, '0'.repeat(8), '0'.repeat(32)];
}

function hexOfIPv4(address: string): string {
  return Buffer.from(address.split('.').map(Number)).toString('hex').toUpperCase();
}

/** The URL parser writes every spelling of an IPv6 address in the one shortest form, so that it can be filled up. */
function hexOfIPv6(address: string): string {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last]
    .map((group) => group.padStart(4, '0'))
    .join('')
    .toUpperCase();
}

type ListeningSocket = { address: string; port: number; inode: string };

/** Rows of `/proc/net/tcp` in state LISTEN; addresses as hex digits in network order. */
export function parseListening(text: string, byteOrder: 'LE' | 'BE' = endianness()): ListeningSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    if (state !== '0A') return [];
    return [{ address: inNetworkOrder(address, byteOrder), port: Number.parseInt(port, 16), inode }];
  });
}

/** The kernel prints an address as words of 32 bits in its own byte order. */
function inNetworkOrder(hex: string, byteOrder: 'LE' | 'BE'): string {
  if (byteOrder === 'BE') return hex;
  return Buffer.from(hex, 'hex').swap32().toString('hex').toUpperCase();
}
