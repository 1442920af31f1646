import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  isIPv6,
  type Server as TcpServer,
} from 'node:net';
import { endianness, networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { problem } from '../../../shared/base/problem.ts';
import type { OwnListener } from '../addresses/target-policy.ts';
import { problemOfError, Reason } from '../text/foreign-errors.ts';
import { listPids, listProc, readProc, readProcessStat, readProcLink } from './proc.ts';

type Listeners = {
  /** The server that people reach. */
  server: Server;
  /** Plain HTTP for the command line of this machine, which need not know the name in the certificate; null where `server` is that. */
  local: Server | null;
  stop(): void;
};

/** None of them listens yet. Throws invalid_environment. */
export function openListeners(
  tls: TlsFiles | null,
  answer: RequestListener,
  onError: (error: unknown) => void,
): Listeners {
  if (tls === null) return { server: createServer(answer), local: null, stop() {} };
  const local = createServer((request, response) => {
    // No proxy stands in front of it, so whoever says so lies about the address.
    for (const name of forwarded) delete request.headers[name];
    answer(request, response);
  });
  return { ...openTlsServer(tls, answer, { onError }), local };
}

const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

/** Paths of PEM files: the certificate with its chain, and its private key. */
type TlsFiles = { certFile: string; keyFile: string };

const lookEveryMs = 10_000;

/**
 * HTTPS with a certificate from files. They are read again when they change, so that one that was renewed is shown to new
 * connections without a restart; a pair that does not fit yet, as half-way through a renewal, is left out until it does.
 * Throws invalid_environment.
 */
export function openTlsServer(
  files: TlsFiles,
  answer: RequestListener,
  { onError, everyMs = lookEveryMs }: { onError(error: unknown): void; everyMs?: number },
): { server: TlsServer; stop(): void } {
  let shown = readFirst(files);
  const server = createTlsServer({ ...shown, minVersion: 'TLSv1.2' }, answer);
  let refused = '';

  function look(): void {
    try {
      const found = readPair(files);
      const text = found.cert + found.key;
      if (text === shown.cert + shown.key || text === refused) return;
      refused = text;
      demandFit(found);
      server.setSecureContext({ ...found, minVersion: 'TLSv1.2' });
      shown = found;
    } catch (error) {
      onError(error);
    }
  }

  const timer = setInterval(look, everyMs);
  timer.unref();
  return { server, stop: () => clearInterval(timer) };
}

type Pair = { cert: string; key: string };

function readFirst(files: TlsFiles): Pair {
  try {
    const pair = readPair(files);
    demandFit(pair);
    return pair;
  } catch (error) {
    throw problemOfError('invalid_environment', 'TLS_CERT and TLS_KEY cannot be used', error);
  }
}

function readPair({ certFile, keyFile }: TlsFiles): Pair {
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

/** OpenSSL refuses a key that belongs to another certificate, but a context without either is fine with it. */
function demandFit(pair: Pair): void {
  if (pair.cert.trim() === '' || pair.key.trim() === '') throw new Reason('one of the files is empty');
  createSecureContext(pair);
}

/**
 * Inodes of the sockets that accept connections to an address and port: bound to it, or else to all addresses.
 * @param address null for any
 */
function listeningInodes(address: string | null, port: number): Set<string> {
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

function allListening(): ListeningSocket[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => parseListening(readProc(path) ?? ''));
}

/** Ports of loopback, in this network namespace, on which something listens, ascending. @param held inodes of the only sockets that count */
export function loopbackPorts(held?: ReadonlySet<string>): number[] {
  const open = allListening().filter(
    (socket) => isOnLoopback(socket) && (held === undefined || held.has(socket.inode)),
  );
  return [...new Set(open.map(({ port }) => port))].toSorted((a, b) => a - b);
}

/** All addresses, or 127.0.0.1, as the kernel writes them; of IPv6 all of them take IPv4 too. */
function isOnLoopback({ address: hex }: ListeningSocket): boolean {
  return /^0+$/.test(hex) || hex.endsWith('7F000001');
}

/** Usual ports of programs that are asked for neither HTTP nor TLS: SSH, mail, DNS, printers, databases, queues. */
const otherPorts = new Set([
  22, 25, 53, 111, 143, 465, 587, 631, 993, 995, 2049, 2181, 3306, 5432, 5672, 6379, 9092, 11_211, 27_017,
]);

/** Whether a port that nobody named may be asked for its protocol. */
export function isAsked(port: number): boolean {
  return !otherPorts.has(port);
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

/** The first of `findListenerPids`; null without one. */
export function findListenerPid(address: string | null, port: number): number | null {
  return findListenerPids(address, port)[0] ?? null;
}

/**
 * The roots of the process trees that serve an address and port: the topmost of those who hold a listening socket of it,
 * as a master holds its workers' socket. There are several where each has a socket of its own (SO_REUSEPORT), the oldest first. Empty when
 * nothing listens there, or when it belongs to another user.
 * @param address null for any
 */
export function findListenerPids(address: string | null, port: number): number[] {
  const inodes = listeningInodes(address, port);
  if (inodes.size === 0) return [];
  const holders = new Map<number, { parentPid: number; startTicks: number; inodes: Set<string> }>();
  for (const pid of listPids()) {
    const held = inodesHeldBy(pid).intersection(inodes);
    const stat = held.size > 0 && !isServiceManager(pid) ? readProcessStat(pid) : null;
    if (stat !== null) holders.set(pid, { ...stat, inodes: held });
  }
  const tops = [...holders].filter(([, { parentPid }]) => !holders.has(parentPid));
  tops.sort(([, a], [, b]) => a.startTicks - b.startTicks);
  // Who holds a socket that an older one holds as well has inherited it.
  const oldest = [...inodes].flatMap((inode) => tops.find(([, each]) => each.inodes.has(inode))?.[0] ?? []);
  return tops.flatMap(([pid]) => (oldest.includes(pid) ? [pid] : []));
}

/** Inodes of a process's sockets, listening or not. */
export function inodesHeldBy(pid: number): Set<string> {
  const links = listProc(`/proc/${pid}/fd`).map((fd) => readProcLink(`/proc/${pid}/fd/${fd}`));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link ?? '')?.[1] ?? []));
}

/** With socket activation systemd holds the socket of its service, and everything else descends from systemd. */
function isServiceManager(pid: number): boolean {
  return readProc(`/proc/${pid}/comm`)?.trim() === 'systemd';
}

/**
 * Addresses of this machine that connections to its loopback come from. A closed connection holds its port for a minute, and one address
 * has some 28,000: from one alone, more connections in a minute than that would find none. All of 127.0.0.0/8 is the loopback's where
 * its interface has that mask, as on every usual Linux.
 */

const perBlock = 254;
const blocks = 4;

/**
 * From how many addresses connections to an address come.
 * @param opens whether new ones are opened all the time
 */
export function countSources(
  address: string,
  opens: boolean,
  isWide: () => boolean = hasWideLoopback,
): number {
  return /^127\./.test(address) && opens && isWide() ? perBlock * blocks : 1;
}

/** The `nth` of them, by turns. */
export function sourceAddress(nth: number): string {
  const place = nth % (perBlock * blocks);
  return `127.17.${Math.floor(place / perBlock)}.${1 + (place % perBlock)}`;
}

let wide: boolean | null = null;

function hasWideLoopback(): boolean {
  wide ??= Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some(({ cidr, internal }) => internal && cidr === '127.0.0.1/8'),
  );
  return wide;
}

/** Resolves when the server listens. Throws address_in_use, invalid_environment. */
export async function listenAt(
  server: TcpServer,
  { host, port }: { host: string; port: number },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw problem('address_in_use', `${host}:${port} is in use by another program.`);
    if (code === 'EACCES') throw problem('address_in_use', `This user may not listen on ${host}:${port}.`);
    throw problem('invalid_environment', `Cannot listen on ${host}:${port}: ${message}.`);
  }
}

/** Addresses on this machine where a listening server can be reached. */
export function ownListenersOf(server: TcpServer): OwnListener[] {
  const at = server.address();
  if (at === null || typeof at === 'string') return [];
  const { address, port } = at;
  if (address !== '0.0.0.0' && address !== '::') return [{ host: address, port }];
  const own = Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map((each) => each.address),
  );
  return ['127.0.0.0/8', '::1', ...own].map((host) => ({ host, port }));
}

/** Other ports at an address that the process which serves one of them listens on, ascending. */
export function otherPortsOf(address: string, port: number): number[] {
  const pid = findListenerPid(address, port);
  if (pid === null) return [];
  const held = inodesHeldBy(pid);
  const own = allListening().filter((socket) => held.has(socket.inode) && socket.port !== port);
  return [...new Set(own.map((socket) => socket.port))]
    .filter((other) => [...listeningInodes(address, other)].some((inode) => held.has(inode)))
    .sort((a, b) => a - b);
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(address: string, count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createTcpServer().listen(0, address));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
