import { readFileSync, writeFileSync } from 'node:fs';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { usualInitialWindow } from '../../../shared/kinds/comparison/link-text.ts';
import { runChild } from '../../base/process/children.ts';
import { causeOf } from '../../base/text/foreign-errors.ts';

/**
 * Where things are in a packet of a TUN device: a header of virtio-net, one of IPv4 without options, and one of TCP. Sources:
 * virtio 1.2, 5.1.6; RFC 791; RFC 9293.
 */

/** The header of virtio-net: flags, kind of a long packet, and the bytes of each part that it is to be split into. */
export const flagsAt = 0;
export const longKindAt = 1;
export const partBytesAt = 4;
/** The sum of TCP covers its pseudo header only: the rest is left to whoever sends the packet on. */
export const needsSum = 1;
export const longTcp4 = 1;

export const ipAt = 10;
export const totalLengthAt = ipAt + 2;
export const identificationAt = ipAt + 4;
export const ipSumAt = ipAt + 10;
export const tcpAt = ipAt + 20;
export const sequenceAt = tcpAt + 4;
const tcpOffsetAt = tcpAt + 12;
export const tcpFlagsAt = tcpAt + 13;
const tcpSumAt = tcpAt + 16;

/** Where the bytes that TCP carries begin. */
export function payloadAt(packet: Uint8Array): number {
  return tcpAt + ((packet[tcpOffsetAt] as number) >> 4) * 4;
}

export function wordAt(packet: Uint8Array, at: number): number {
  return ((packet[at] as number) << 8) | (packet[at + 1] as number);
}

export function setWord(packet: Uint8Array, at: number, word: number): void {
  packet[at] = (word >> 8) & 0xff;
  packet[at + 1] = word & 0xff;
}

/** After a change of what a sum covers. Source: RFC 1624, equation 3. @param change new words less old ones, as a sum */
export function changeSum(packet: Uint8Array, at: number, change: number): void {
  setWord(packet, at, ~fold((~wordAt(packet, at) & 0xffff) + change));
}

/** The sum of a pseudo header alone is not inverted. */
export function changeTcpSum(packet: Uint8Array, change: number): void {
  if ((packet[flagsAt] as number) & needsSum)
    setWord(packet, tcpSumAt, fold(wordAt(packet, tcpSumAt) + change));
  else changeSum(packet, tcpSumAt, change);
}

/** A sum of words in ones’ complement. */
export function fold(sum: number): number {
  const once = (sum & 0xffff) + (sum >>> 16);
  return (once & 0xffff) + (once >>> 16);
}

/**
 * Addresses of a path over a TUN device, and their translation. Client and server are in one network namespace, where the kernel
 * would join them directly. So the client goes to an address that is routed to the device; there its packets become those of
 * another client, which goes to the server's own address and whose address is routed to the device as well. Ports stay.
 *
 * All of these addresses are in 127.0.0.0/8: nothing leaves the machine, and once the device is gone they are loopback again,
 * where what is left of a connection is reset.
 *
 * | | Client | Server |
 * | --- | --- | --- |
 * | at the client | 127.17.x.y | 127.(64 + device).0.place |
 * | at the server | 127.(128 + device).(4 place + x).y | its own |
 */

/** Devices on one machine, and servers behind one of them. */
export const mostDevices = 32;
export const mostPlaces = 63;

const clientNet = 17;
const firstNear = 64;
const firstFar = 128;
const loopback = 127;

/** Where a client finds the server at a place, from 1. */
export function nearAddress(device: number, place: number): string {
  return `127.${firstNear + device}.0.${place}`;
}

/** Where its clients seem to be, to that server. */
export function farNetwork(device: number, place: number): string {
  return `127.${firstFar + device}.${place << 2}.0/22`;
}

/** Of a client that is bound to no address. The load generator binds to others of this network. */
const clientAddress = `127.${clientNet}.0.255`;

const fromAt = ipAt + 12;
const toAt = ipAt + 16;
const protocolAt = ipAt + 9;
const tcp = 6;

/**
 * Makes a packet of the device one of the other end, in place: a packet of IPv4 without options, with TCP, behind its header of
 * virtio-net.
 * @param serverAt the four bytes of a server's own address
 * @returns its place, negative on the way back to the client; 0 for a packet that is not of this path
 */
export function translate(packet: Uint8Array, serverAt: (place: number) => Uint8Array | undefined): number {
  if (packet[ipAt] !== 0x45 || packet[protocolAt] !== tcp || packet[toAt] !== loopback) return 0;
  const net = packet[toAt + 1] as number;
  const before = sumOfAddresses(packet);
  const place = net < firstFar ? (packet[toAt + 3] as number) : (packet[toAt + 2] as number) >> 2;
  const server = serverAt(place);
  if (net < firstNear || server === undefined) return 0;
  if (net < firstFar) {
    if (packet[fromAt] !== loopback || packet[fromAt + 1] !== clientNet) return 0;
    packet[fromAt + 1] = net - firstNear + firstFar;
    packet[fromAt + 2] = (place << 2) | ((packet[fromAt + 2] as number) & 3);
    packet.set(server, toAt);
  } else {
    packet[fromAt] = loopback;
    packet[fromAt + 1] = net - firstFar + firstNear;
    packet[fromAt + 2] = 0;
    packet[fromAt + 3] = place;
    packet[toAt + 1] = clientNet;
    packet[toAt + 2] = (packet[toAt + 2] as number) & 3;
  }
  const change = fold(sumOfAddresses(packet) + 4 * 0xffff - before);
  changeSum(packet, ipSumAt, change);
  changeTcpSum(packet, change);
  return net < firstFar ? place : -place;
}

function sumOfAddresses(packet: Uint8Array): number {
  return (
    wordAt(packet, fromAt) + wordAt(packet, fromAt + 2) + wordAt(packet, toAt) + wordAt(packet, toAt + 2)
  );
}

/** What the kernel is asked about a path: by `ip` of iproute2, and in `/proc/sys`. */

const timeoutMs = 5000;
const mtu = 1500;
/** Packets that wait for the forwarder; more are dropped. */
const queueLength = 10_000;

const settings = '/proc/sys/net/ipv4';

/** Throws why it cannot be used, as the end of a sentence. */
export async function raiseDevice(name: string): Promise<void> {
  await ip('link', 'set', name, 'mtu', `${mtu}`, 'txqueuelen', `${queueLength}`, 'up');
  const file = `${settings}/conf/${name}/route_localnet`;
  try {
    // Packets of 127.0.0.0/8 may come and go by this device.
    writeFileSync(file, '1');
  } catch (error) {
    throw new Error(`${file} cannot be written: ${causeOf(error) ?? 'the system refuses it'}`);
  }
}

/** The way to a place, and the way back from its server: each with the initial window and the congestion control of its sender. */
export async function routePlace(name: string, device: number, place: number, link: Link): Promise<void> {
  const { initialWindow = usualInitialWindow, congestionControl } = link;
  const chosen = congestionControl === undefined ? [] : ['congctl', congestionControl];
  const sender = ['dev', name, 'table', 'local', 'initcwnd', `${initialWindow}`, ...chosen];
  await ip('route', 'add', `${nearAddress(device, place)}/32`, ...sender, 'src', clientAddress);
  await ip('route', 'add', farNetwork(device, place), ...sender);
}

/** Throws the end of a sentence where a link asks for one that this kernel does not have. Returns what its connections will use. */
export function demandCongestionControl({ congestionControl }: Link): string {
  const read = (name: string) => readFileSync(`${settings}/${name}`, 'utf8').trim();
  const available = read('tcp_available_congestion_control').split(' ');
  if (congestionControl === undefined) return read('tcp_congestion_control');
  if (available.includes(congestionControl)) return congestionControl;
  throw new Error(
    `this kernel has no congestion control ${congestionControl} (choose ${available.join(', ')}, or run modprobe tcp_${congestionControl})`,
  );
}

async function ip(...args: string[]): Promise<void> {
  try {
    await runChild('ip', args, { timeout: timeoutMs });
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw new Error('the program ip is missing (install iproute2)');
    const [line] = stderr.trim().split('\n');
    throw new Error(`ip ${args.slice(0, 2).join(' ')} failed${line ? `: ${line}` : ''}`);
  }
}
