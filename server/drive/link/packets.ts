/**
 * Offsets in a packet of a TUN device: a header of virtio-net, one of IPv4 without options, and one of TCP. Sources: virtio 1.2, 5.1.6;
 * RFC 791; RFC 9293.
 */

/** The header of virtio-net: flags, kind of a long packet, and the bytes of each part that it is to be split into. */
const flagsAt = 0;
const longKindAt = 1;
const partBytesAt = 4;
/** The sum of TCP covers its pseudo header only: the rest is left to whoever sends the packet on. */
const needsSum = 1;
const longTcp4 = 1;

const ipAt = 10;
const totalLengthAt = ipAt + 2;
const identificationAt = ipAt + 4;
const ipSumAt = ipAt + 10;
const tcpAt = ipAt + 20;
const sequenceAt = tcpAt + 4;
const tcpOffsetAt = tcpAt + 12;
const tcpFlagsAt = tcpAt + 13;
const tcpSumAt = tcpAt + 16;

/** Offset of the bytes that TCP carries. */
function payloadAt(packet: Uint8Array): number {
  return tcpAt + ((packet[tcpOffsetAt] as number) >> 4) * 4;
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

/** The sum of a pseudo header alone is not inverted. */
function changeTcpSum(packet: Uint8Array, change: number): void {
  if ((packet[flagsAt] as number) & needsSum)
    setWord(packet, tcpSumAt, fold(wordAt(packet, tcpSumAt) + change));
  else changeSum(packet, tcpSumAt, change);
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

const finAndPush = 0x09;

const windowReduced = 0x80;

/**
 * Copies a packet of the device as it would be on a wire: a long one of TCP in parts of one segment each, as a network card does.
 * @param length of the packet with its header of virtio-net
 * @param takeBuffer for the next part; null where there is none, which drops the rest
 * @param carry is given each part, its length, and the bytes that TCP carries in it
 */
export function splitPacket(
  packet: Uint8Array,
  length: number,
  takeBuffer: () => Uint8Array | null,
  carry: (part: Uint8Array, length: number, bytes: number) => void,
): void {
  const bodyAt = payloadAt(packet);
  const bytes = length - bodyAt;
  const isLong = packet[longKindAt] !== 0;
  // The header of virtio-net has the byte order of the machine, which is little-endian on all that are supported.
  const partBytes = isLong
    ? (packet[partBytesAt] as number) | ((packet[partBytesAt + 1] as number) << 8)
    : bytes;
  if (isLong && ((packet[longKindAt] as number) !== longTcp4 || partBytes === 0)) return;
  for (let from = 0, nth = 0; from < bytes || nth === 0; from += partBytes, nth++) {
    const part = takeBuffer();
    if (part === null) return;
    const carried = Math.min(partBytes, bytes - from);
    part.set(packet.subarray(0, bodyAt));
    part.set(packet.subarray(bodyAt + from, bodyAt + from + carried), bodyAt);
    if (isLong) renumber(part, { bodyAt, carried, from, nth, isLast: from + carried === bytes });
    carry(part, bodyAt + carried, carried);
  }
}

type Part = { bodyAt: number; carried: number; from: number; nth: number; isLast: boolean };

function renumber(part: Uint8Array, { bodyAt, carried, from, nth, isLast }: Part): void {
  const [lengthBefore, identification] = [wordAt(part, totalLengthAt), wordAt(part, identificationAt)];
  const length = bodyAt - ipAt + carried;
  const number = (identification + nth) & 0xffff;
  part.fill(0, 0, ipAt);
  part[flagsAt] = needsSum;
  setLittle(part, sumFromAt, tcpAt - ipAt);
  setLittle(part, sumAt, sumOffset);
  setWord(part, totalLengthAt, length);
  setWord(part, identificationAt, number);
  const longer = length + 0xffff - lengthBefore;
  changeSum(part, ipSumAt, fold(longer + number + 0xffff - identification));
  // Its pseudo header has the length of TCP, which is shorter by as much.
  changeTcpSum(part, fold(longer));
  const sequence = new DataView(part.buffer, part.byteOffset).getUint32(sequenceAt);
  new DataView(part.buffer, part.byteOffset).setUint32(sequenceAt, (sequence + from) >>> 0);
  if (!isLast) part[tcpFlagsAt] = (part[tcpFlagsAt] as number) & ~finAndPush;
  if (nth > 0) part[tcpFlagsAt] = (part[tcpFlagsAt] as number) & ~windowReduced;
}

/** In the header of virtio-net: from where a sum is to be made, counted from IP, and where it goes, from there. */
const sumFromAt = 6;

const sumAt = 8;

const sumOffset = 16;

function setLittle(packet: Uint8Array, at: number, word: number): void {
  packet[at] = word & 0xff;
  packet[at + 1] = word >> 8;
}
