import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, constants as system } from 'node:os';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { DelayLine, keepAwake } from './delay-line.ts';
import type { RelayTarget } from './relay.ts';
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
  mostDevices,
  mostPlaces,
  nearAddress,
  needsSum,
  partBytesAt,
  payloadAt,
  raiseDevice,
  routePlace,
  sequenceAt,
  setWord,
  tcpAt,
  tcpFlagsAt,
  totalLengthAt,
  translate,
  wordAt,
} from './translate.ts';

/**
 * A TUN device: what the kernel sends out by it is read here, a packet at a time, and what is written here comes in by it. Like a
 * network card, it takes long packets of TCP and leaves their sums and their splitting to us, so that this costs the sender
 * nothing. It is not persistent: the kernel takes it and its routes away once this process closes it, however this process ends.
 * Source: Linux, Documentation/networking/tuntap.rst. Node has no ioctl, so the C library is asked.
 */
type TunDevice = {
  /** Reads one packet, behind a header of virtio-net; 0 when none waits. */
  read(into: Uint8Array): number;
  write(packet: Uint8Array, bytes: number): void;
  /** Blocks until a packet waits or this time is over. */
  wait(ms: number): void;
  close(): void;
};

const path = '/dev/net/tun';
/** Those with the common numbers of ioctl. */
const architectures = ['x64', 'arm64', 'riscv64', 'loong64'];
/** `TUNSETIFF`, `IFF_TUN | IFF_NO_PI | IFF_VNET_HDR`, `TUNSETOFFLOAD`, `TUN_F_CSUM | TUN_F_TSO4`, `PR_SET_TIMERSLACK`, and `POLLIN`. */
const setInterface = 0x400454ca;
const plainTun = 0x5001;
const setOffload = 0x400454d0;
const sumsAndSplitting = 3;
const setTimerSlack = 29;
const pollIn = 1;
/** Of `struct ifreq`: the name, then the flags. */
const requestBytes = 40;
const deviceFlagsAt = 16;

/** Null where another process has a device of that name. Throws why there is none here, as the end of a sentence. */
function openTunDevice(name: string): TunDevice | null {
  if (process.platform !== 'linux' || !architectures.includes(process.arch))
    throw new Error(`${process.platform} ${process.arch} has no TUN device that TLS Toll can open`);
  const c = openLibrary();
  const fd = openFile();
  const request = new Uint8Array(requestBytes);
  request.set(Buffer.from(name));
  new Int16Array(request.buffer)[deviceFlagsAt / 2] = plainTun;
  if (c.ioctl(fd, setInterface, request) !== 0) {
    const code = c.errno();
    closeSync(fd);
    if (code === system.errno.EBUSY) return null;
    throw new Error(code === system.errno.EPERM ? needsRoot : `the TUN device was refused (error ${code})`);
  }
  if (c.ioctlWith(fd, setOffload, sumsAndSplitting) !== 0) {
    const code = c.errno();
    closeSync(fd);
    throw new Error(`the TUN device takes no long packets (error ${code})`);
  }
  // Otherwise the kernel lets this thread sleep 50 µs longer than it asks to.
  c.prctl(setTimerSlack, 1, 0, 0, 0);
  const polled = new Int32Array([fd, 0]);
  new Int16Array(polled.buffer)[2] = pollIn;
  const time = new BigInt64Array(2);
  return {
    read: (into) => Math.max(0, c.read(fd, into, into.length)),
    write: (packet, bytes) => void c.write(fd, packet, bytes),
    wait(ms) {
      time[1] = BigInt(Math.floor(Math.max(0, ms) * 1e6));
      c.ppoll(polled, 1, time, null);
    },
    close: () => closeSync(fd),
  };
}

const needsRoot = 'a TUN device takes root, or the capability CAP_NET_ADMIN';

function openFile(): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw new Error(needsRoot);
    throw new Error(
      code === 'ENOENT'
        ? `${path} is missing (in a container, add --device ${path} and --cap-add NET_ADMIN)`
        : `${path} cannot be opened (${code})`,
    );
  }
}

function openLibrary() {
  try {
    const koffi: typeof import('koffi').default = createRequire(import.meta.url)('koffi');
    const c = koffi.load(null);
    return {
      ioctl: c.func('int ioctl(int fd, unsigned long request, void *argument)'),
      ioctlWith: c.func('ioctl', 'int', ['int', 'unsigned long', 'unsigned long']),
      read: c.func('long read(int fd, void *into, size_t bytes)'),
      write: c.func('long write(int fd, void *from, size_t bytes)'),
      ppoll: c.func('int ppoll(void *polled, unsigned long count, void *time, void *signals)'),
      prctl: c.func(
        'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
      ),
      errno: () => koffi.errno(),
    };
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Error(`koffi could not be loaded: ${line}`);
  }
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

/** A queue holds what the rate sends in a round trip, and at least this many full packets, so that a first flight fits. */
const leastQueued = 32;
const fullPacketBytes = 1448;

/** One direction of a path: loses packets, and drops those that find the queue before the rate full. The rest is delayed. */
export class PacketWay {
  readonly line: DelayLine;
  packets = 0;
  lost = 0;
  /** Dropped by the full queue. */
  overflowed = 0;
  readonly #lossShare: number;
  readonly #longestQueueMs: number;
  readonly #random: () => number;

  /** @param random from 0 up to 1 */
  constructor({ roundTripMs, mbitPerS, lossPercent = 0 }: Link, random: () => number) {
    this.line = new DelayLine(roundTripMs / 2, mbitPerS);
    this.#lossShare = lossPercent / 100;
    const leastMs = mbitPerS === null ? 0 : (leastQueued * fullPacketBytes * 8) / (mbitPerS * 1000);
    this.#longestQueueMs = Math.max(roundTripMs, leastMs);
    this.#random = random;
  }

  /** @param bytes that TCP carries in the packet, which is what a rate counts. Returns whether it will be delivered. */
  enter(nowMs: number, bytes: number, deliver: () => void): boolean {
    this.packets++;
    if (this.#random() < this.#lossShare) {
      this.lost++;
      return false;
    }
    if (bytes > 0 && this.line.queuedMs(nowMs) > this.#longestQueueMs) {
      this.overflowed++;
      return false;
    }
    this.line.enter(nowMs, bytes, deliver);
    return true;
  }
}

/** With the header of virtio-net; what is sent on has the device's MTU of 1,500. */
const longestRead = 10 + 65_535;
const longestPacket = 1536;
/** Together they are some 100 MB. */
const mostPackets = 65_536;
/** So often at least, what the parent asks is heard. */
const turnMs = 5;
/** Sleeping ends so much before a packet is due, where there is a core for waiting the rest. */
const leadMs = availableParallelism() > 1 ? 0.1 : 0;

/** A server behind the path, its four bytes, and what is on its way to it and back. */
type Place = { server: Uint8Array; forth: PacketWay; back: PacketWay };
type Device = { tun: TunDevice; name: string; number: number };
type PacketCounts = { packets: number; lost: number; overflowed: number };

/** Carries packets between the two ends of a path, later, fewer, and more slowly than they came. */
export class Forwarder {
  #device: Device | null = null;
  #places: Place[] = [];
  readonly #read = new Uint8Array(longestRead);
  /** Buffers that hold no packet now. */
  readonly #free: Uint8Array[] = [];
  #buffers = 0;
  #letSleep: (() => void) | null = null;

  /** Opens the device, unless it is open; throws why it cannot, as the end of a sentence. */
  async start(): Promise<Device> {
    if (this.#device !== null) return this.#device;
    const device = await openDevice();
    this.#device = device;
    this.#letSleep = keepAwake();
    this.#turn(device);
    return device;
  }

  /** Puts a link of its own in front of each target. Returns where each is reached now. */
  async open(link: Link, targets: readonly RelayTarget[]): Promise<string[]> {
    const { name, number } = await this.start();
    const first = this.#places.length + 1;
    if (this.#places.length + targets.length > mostPlaces)
      throw new Error(`one measurement has at most ${mostPlaces} listeners behind links`);
    for (const { address } of targets) {
      const server = Uint8Array.from(address.split('.').map(Number));
      const way = () => new PacketWay(link, Math.random);
      this.#places.push({ server, forth: way(), back: way() });
    }
    const places = targets.map((_, index) => first + index);
    await Promise.all(places.map((place) => routePlace(name, number, place, link)));
    return places.map((place) => nearAddress(number, place));
  }

  /** Of the links to these addresses. */
  count(addresses: readonly string[]): PacketCounts {
    const number = this.#device?.number ?? 0;
    const ways = this.#places
      .filter((_, index) => addresses.includes(nearAddress(number, index + 1)))
      .flatMap(({ forth, back }) => [forth, back]);
    const sum = (of: (way: PacketWay) => number) => ways.reduce((total, way) => total + of(way), 0);
    return {
      packets: sum(({ packets }) => packets),
      lost: sum(({ lost }) => lost),
      overflowed: sum(({ overflowed }) => overflowed),
    };
  }

  /** The device goes, and with it its addresses and routes. */
  close(): void {
    this.#device?.tun.close();
    this.#device = null;
    this.#places = [];
    this.#buffers = 0;
    this.#free.length = 0;
    this.#letSleep?.();
    this.#letSleep = null;
  }

  #turn(device: Device): void {
    if (device !== this.#device) return;
    const untilMs = performance.now() + turnMs;
    for (let nowMs = performance.now(); nowMs < untilMs; nowMs = performance.now()) {
      const dueMs = this.#release(nowMs);
      device.tun.wait(Math.min(dueMs - leadMs, untilMs) - performance.now());
      this.#take(device.tun);
    }
    setImmediate(() => this.#turn(device));
  }

  /** Delivers what is due, and returns when the next packet is. */
  #release(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { forth, back } of this.#places) {
      forth.line.release(nowMs);
      back.line.release(nowMs);
      nextMs = Math.min(nextMs, forth.line.nextMs, back.line.nextMs);
    }
    return nextMs;
  }

  #take(tun: TunDevice): void {
    const nowMs = performance.now();
    const serverAt = (place: number) => this.#places[place - 1]?.server;
    const takeBuffer = () => this.#free.pop() ?? this.#buffer();
    for (let length = tun.read(this.#read); length > 0; length = tun.read(this.#read)) {
      const place = translate(this.#read, serverAt);
      const ways = this.#places[Math.abs(place) - 1];
      const way = place > 0 ? ways?.forth : ways?.back;
      if (way === undefined) continue;
      splitPacket(this.#read, length, takeBuffer, (packet, bytes, carried) => {
        const isTaken = way.enter(nowMs, carried, () => {
          tun.write(packet, bytes);
          this.#free.push(packet);
        });
        if (!isTaken) this.#free.push(packet);
      });
    }
  }

  /** Null where too much is on its way. */
  #buffer(): Uint8Array | null {
    if (this.#buffers === mostPackets) return null;
    this.#buffers++;
    return new Uint8Array(longestPacket);
  }
}

/** The first that nobody has. */
async function openDevice(): Promise<Device> {
  for (let number = 0; number < mostDevices; number++) {
    const name = `tlstoll${number}`;
    const tun = openTunDevice(name);
    if (tun === null) continue;
    try {
      await raiseDevice(name);
    } catch (error) {
      tun.close();
      throw error;
    }
    return { tun, name, number };
  }
  throw new Error(`all ${mostDevices} TUN devices are in use by other measurements`);
}
