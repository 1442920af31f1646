import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';
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
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray()).toString('hex').toUpperCase();
  if (isIPv6(address)) return [bytes, '0'.repeat(32)];
  return [bytes, `${'0'.repeat(20)}FFFF${bytes}`, '0'.repeat(8), '0'.repeat(32)];
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
