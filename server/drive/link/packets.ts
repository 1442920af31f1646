/**
 * Offsets in a packet of a TUN device: a header of virtio-net, one of IPv4 without options, and one of TCP, UDP, or ICMP. Sources:
 * virtio 1.2, 5.1.6; RFC 791; RFC 9293; RFC 768; RFC 792.
 */

/** The header of virtio-net: flags, kind of a long packet, and the bytes of each part that it is to be split into. */
const flagsAt = 0;
const longKindAt = 1;
const partBytesAt = 4;
/** The sum of TCP or UDP covers its pseudo header only: the rest is left to whoever sends the packet on. */
const needsSum = 1;
const longTcp4 = 1;

const ipAt = 10;
const totalLengthAt = ipAt + 2;
const identificationAt = ipAt + 4;
const fragmentAt = ipAt + 6;
const protocolAt = ipAt + 9;
const ipSumAt = ipAt + 10;
const fromAt = ipAt + 12;
const toAt = ipAt + 16;
const bodyAt = ipAt + 20;
const sequenceAt = bodyAt + 4;
const tcpOffsetAt = bodyAt + 12;
const tcpFlagsAt = bodyAt + 13;

const ip4 = 0x45;
const protocols = { icmp: 1, tcp: 6, udp: 17 };
/** From the beginning of a header of TCP or UDP to its sum. */
const sumOffsets = { tcp: 16, udp: 6 };

/** Bytes of IPv4 that a path takes in one packet, as Ethernet does. */
export const mtu = 1500;

/** Bytes of a packet of IPv4 that the device passes in this length. */
export function bytesOfIp(length: number): number {
  return length - ipAt;
}

/** Offset of the bytes that TCP carries. */
function payloadAt(packet: Uint8Array): number {
  return bodyAt + ((packet[tcpOffsetAt] as number) >> 4) * 4;
}

function wordAt(packet: Uint8Array, at: number): number {
  return ((packet[at] as number) << 8) | (packet[at + 1] as number);
}

function setWord(packet: Uint8Array, at: number, word: number): void {
  packet[at] = (word >> 8) & 0xff;
  packet[at + 1] = word & 0xff;
}

/** After a change of what a sum covers. Source: RFC 1624, equation 3. @param change new words less old ones, as a sum */
function changeSum(packet: Uint8Array, at: number, change: number): void {
  setWord(packet, at, ~fold((~wordAt(packet, at) & 0xffff) + change));
}

/** The sum of a pseudo header alone is not inverted. UDP without a sum, which is 0, stays without one, so no sum may become 0. */
function changeBodySum(packet: Uint8Array, change: number): void {
  const isUdp = packet[protocolAt] === protocols.udp;
  const at = bodyAt + (isUdp ? sumOffsets.udp : sumOffsets.tcp);
  if ((packet[flagsAt] as number) & needsSum) setWord(packet, at, fold(wordAt(packet, at) + change));
  else if (!isUdp) changeSum(packet, at, change);
  else if (wordAt(packet, at) !== 0) {
    changeSum(packet, at, change);
    if (wordAt(packet, at) === 0) setWord(packet, at, 0xffff);
  }
}

/** RFC 1071, not inverted. */
function sumOf(packet: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at + 1 < to; at += 2) sum += wordAt(packet, at);
  if ((to - from) % 2 === 1) sum += (packet[to - 1] as number) << 8;
  return fold(sum);
}

/** A sum of words in ones’ complement. */
function fold(sum: number): number {
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

/** Address at which a client finds the server at a place, from 1. */
export function nearAddress(device: number, place: number): string {
  return `127.${firstNear + device}.0.${place}`;
}

/** Network from which its clients seem to come, to that server. */
export function farNetwork(device: number, place: number): string {
  return `127.${firstFar + device}.${place << 2}.0/22`;
}

/** Address of a client that is bound to none. The load generator binds to others of this network. */
export const clientAddress = `127.${clientNet}.0.255`;

/**
 * Makes a packet of the device one of the other end, in place: a packet of IPv4 without options, with TCP, UDP, a later fragment of
 * them, or an error of ICMP about them, behind its header of virtio-net.
 * @param serverAt the four bytes of a server's own address
 * @returns its place, negative on the way back to the client; 0 for a packet that is not of this path
 */
export function translate(packet: Uint8Array, serverAt: (place: number) => Uint8Array | undefined): number {
  if (packet[ipAt] !== ip4 || packet[toAt] !== loopback || !isCarried(packet)) return 0;
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
  if (packet[protocolAt] === protocols.icmp) translateQuote(packet, change);
  else if (isFirstFragment(packet)) changeBodySum(packet, change);
  return net < firstFar ? place : -place;
}

function isFirstFragment(packet: Uint8Array): boolean {
  return (wordAt(packet, fragmentAt) & 0x1fff) === 0;
}

const unreachable = 3;
const timeExceeded = 11;
/** Offset of the packet that an error of ICMP quotes. */
const quoteAt = bodyAt + 8;

function isCarried(packet: Uint8Array): boolean {
  const protocol = packet[protocolAt];
  if (protocol !== protocols.icmp) return protocol === protocols.tcp || protocol === protocols.udp;
  return [unreachable, timeExceeded].includes(packet[bodyAt] as number) && packet[quoteAt] === ip4;
}

/**
 * The quoted packet went the other way, between the same addresses. A header of IPv4 has the same sum as a whole before and after, so
 * the sum of ICMP stays right; nobody checks the sum of the quoted TCP or UDP, which is cut off.
 */
function translateQuote(packet: Uint8Array, change: number): void {
  packet.copyWithin(quoteAt + fromAt - ipAt, toAt, toAt + 4);
  packet.copyWithin(quoteAt + toAt - ipAt, fromAt, fromAt + 4);
  changeSum(packet, quoteAt + ipSumAt - ipAt, change);
}

function sumOfAddresses(packet: Uint8Array): number {
  return (
    wordAt(packet, fromAt) + wordAt(packet, fromAt + 2) + wordAt(packet, toAt) + wordAt(packet, toAt + 2)
  );
}

/** Bytes of each part of a long packet. The header of virtio-net has the byte order of the machine: little-endian on all that are supported. */
function partBytesOf(packet: Uint8Array): number | null {
  if (packet[longKindAt] === 0) return null;
  return (packet[partBytesAt] as number) | ((packet[partBytesAt + 1] as number) << 8);
}

/** Whether a packet, or a part of a long one, is longer than the path takes. */
export function isTooLong(packet: Uint8Array, length: number): boolean {
  const partBytes = partBytesOf(packet);
  return bytesOfIp(partBytes === null ? length : payloadAt(packet) + partBytes) > mtu && packet[ipAt] === ip4;
}

const fragmentationNeeded = 4;
/** Bytes of a packet that its sender needs to know it again. */
const quotedBytes = 28;

/**
 * A router's answer to a packet that is too long: the longest that would pass. A packet that may be split is answered as well: Linux
 * then splits the next ones itself. The kernel keeps to the MTU of the device, so this needs somebody who has raised it. Sources:
 * RFC 792; RFC 1191.
 */
export function answerTooLong(packet: Uint8Array): Uint8Array {
  const answer = new Uint8Array(quoteAt + quotedBytes);
  answer.set([ip4, 0, ...[0, bytesOfIp(answer.length)], 0, 0, 0, 0, 64, protocols.icmp], ipAt);
  answer.set(packet.subarray(toAt, toAt + 4), fromAt);
  answer.set(packet.subarray(fromAt, fromAt + 4), toAt);
  answer.set([unreachable, fragmentationNeeded], bodyAt);
  setWord(answer, bodyAt + 6, mtu);
  answer.set(packet.subarray(ipAt, ipAt + quotedBytes), quoteAt);
  setWord(answer, ipSumAt, ~sumOf(answer, ipAt, bodyAt));
  setWord(answer, bodyAt + 2, ~sumOf(answer, bodyAt, answer.length));
  return answer;
}

const finAndPush = 0x09;
const windowReduced = 0x80;

/**
 * Copies a packet of the device as it would be on a wire: a long one of TCP in parts of one segment each, as a network card does, and
 * one of UDP with its whole sum, which the receiving kernel then checks. The device gives no long packets of UDP.
 * @param length of the packet with its header of virtio-net
 * @param takeBuffer for the next part; null where there is none, which drops the rest
 * @param carry is given each part and its length
 */
export function splitPacket(
  packet: Uint8Array,
  length: number,
  takeBuffer: () => Uint8Array | null,
  carry: (part: Uint8Array, length: number) => void,
): void {
  const partBytes = partBytesOf(packet);
  if (partBytes === null) {
    const whole = takeBuffer();
    if (whole === null) return;
    whole.set(packet.subarray(0, length));
    if (packet[protocolAt] === protocols.udp) finishSum(whole, length);
    carry(whole, length);
    return;
  }
  if (packet[longKindAt] !== longTcp4 || partBytes === 0) return;
  const payload = payloadAt(packet);
  const bytes = length - payload;
  for (let from = 0, nth = 0; from < bytes; from += partBytes, nth++) {
    const part = takeBuffer();
    if (part === null) return;
    const carried = Math.min(partBytes, bytes - from);
    part.set(packet.subarray(0, payload));
    part.set(packet.subarray(payload + from, payload + from + carried), payload);
    renumber(part, { length: payload + carried, from, nth, isLast: from + carried === bytes });
    carry(part, payload + carried);
  }
}

function finishSum(packet: Uint8Array, length: number): void {
  if (((packet[flagsAt] as number) & needsSum) === 0) return;
  setWord(packet, bodyAt + sumOffsets.udp, ~sumOf(packet, bodyAt, length) & 0xffff || 0xffff);
  packet.fill(0, 0, ipAt);
}

type Part = { length: number; from: number; nth: number; isLast: boolean };

function renumber(part: Uint8Array, { length, from, nth, isLast }: Part): void {
  const [bytesBefore, identification] = [wordAt(part, totalLengthAt), wordAt(part, identificationAt)];
  const bytes = bytesOfIp(length);
  const number = (identification + nth) & 0xffff;
  part.fill(0, 0, ipAt);
  part[flagsAt] = needsSum;
  setLittle(part, sumFromAt, bodyAt - ipAt);
  setLittle(part, sumAt, sumOffsets.tcp);
  setWord(part, totalLengthAt, bytes);
  setWord(part, identificationAt, number);
  const longer = bytes + 0xffff - bytesBefore;
  changeSum(part, ipSumAt, fold(longer + number + 0xffff - identification));
  // Its pseudo header has the length of TCP, which is shorter by as much.
  changeBodySum(part, fold(longer));
  const sequence = new DataView(part.buffer, part.byteOffset).getUint32(sequenceAt);
  new DataView(part.buffer, part.byteOffset).setUint32(sequenceAt, (sequence + from) >>> 0);
  if (!isLast) part[tcpFlagsAt] = (part[tcpFlagsAt] as number) & ~finAndPush;
  if (nth > 0) part[tcpFlagsAt] = (part[tcpFlagsAt] as number) & ~windowReduced;
}

/** In the header of virtio-net: from where a sum is to be made, counted from IP, and where it goes, from there. */
const sumFromAt = 6;
const sumAt = 8;

function setLittle(packet: Uint8Array, at: number, word: number): void {
  packet[at] = word & 0xff;
  packet[at + 1] = word >> 8;
}
