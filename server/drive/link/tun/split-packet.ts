import {
  changeSum,
  changeTcpSum,
  flagsAt,
  fold,
  identificationAt,
  ipAt,
  ipSumAt,
  longKindAt,
  longTcp4,
  needsSum,
  partBytesAt,
  payloadAt,
  sequenceAt,
  setWord,
  tcpAt,
  tcpFlagsAt,
  totalLengthAt,
  wordAt,
} from './packet-fields.ts';

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
  const [wasLong, identification] = [wordAt(part, totalLengthAt), wordAt(part, identificationAt)];
  const isLong = bodyAt - ipAt + carried;
  const isIdentified = (identification + nth) & 0xffff;
  part.fill(0, 0, ipAt);
  part[flagsAt] = needsSum;
  setLittle(part, sumFromAt, tcpAt - ipAt);
  setLittle(part, sumAt, sumOffset);
  setWord(part, totalLengthAt, isLong);
  setWord(part, identificationAt, isIdentified);
  const longer = isLong + 0xffff - wasLong;
  changeSum(part, ipSumAt, fold(longer + isIdentified + 0xffff - identification));
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
