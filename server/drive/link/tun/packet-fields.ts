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
