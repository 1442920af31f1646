import { changeSum, changeTcpSum, fold, ipAt, ipSumAt, wordAt } from './packet-fields.ts';

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
