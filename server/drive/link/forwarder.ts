import { availableParallelism } from 'node:os';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { drawsOf } from '../../method/statistics/random.ts';
import { DelayLine, keepAwake } from './delay-line.ts';
import {
  answerTooLong,
  bytesOfIp,
  isTooLong,
  mostDevices,
  mostPlaces,
  mtu,
  nearAddress,
  splitPacket,
  translate,
} from './packets.ts';
import type { RelayTarget } from './relay.ts';
import { openTunDevice, raiseDevice, routePlace, type TunDevice } from './tun-device.ts';

/** A queue holds what the rate sends in a round trip, and at least this many full packets, so that a first flight fits. */
const leastQueued = 32;

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
    const leastMs = mbitPerS === null ? 0 : (leastQueued * mtu * 8) / (mbitPerS * 1000);
    this.#longestQueueMs = Math.max(roundTripMs, leastMs);
    this.#random = random;
  }

  /** @param bytes of the packet of IPv4, which is what a rate counts. Returns whether it will be delivered. */
  enter(nowMs: number, bytes: number, deliver: () => void): boolean {
    this.packets++;
    if (this.#random() < this.#lossShare) {
      this.lost++;
      return false;
    }
    if (this.line.queuedMs(nowMs) > this.#longestQueueMs) {
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
/** Longest time before questions of the parent are heard. */
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

  /** Puts a link of its own in front of each target, for TCP and UDP alike. Returns where each is reached now. */
  async open(link: Link, targets: readonly RelayTarget[], seed: number): Promise<string[]> {
    const { name, number } = await this.start();
    const first = this.#places.length + 1;
    if (this.#places.length + targets.length > mostPlaces)
      throw new Reason(`one run has at most ${mostPlaces} listeners behind links`);
    const draw = drawsOf(seed);
    const way = () => new PacketWay(link, drawsOf(draw() * 2 ** 32));
    for (const { address } of targets) {
      const server = Uint8Array.from(address.split('.').map(Number));
      this.#places.push({ server, forth: way(), back: way() });
    }
    const places = targets.map((_, index) => first + index);
    await Promise.all(places.map((place) => routePlace(name, number, place, link)));
    return places.map((place) => nearAddress(number, place));
  }

  /** Packets of the links to these addresses. */
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
      if (isTooLong(this.#read, length)) {
        const answer = answerTooLong(this.#read);
        tun.write(answer, answer.length);
        continue;
      }
      const place = translate(this.#read, serverAt);
      const ways = this.#places[Math.abs(place) - 1];
      const way = place > 0 ? ways?.forth : ways?.back;
      if (way === undefined) continue;
      splitPacket(this.#read, length, takeBuffer, (packet, bytes) => {
        const isTaken = way.enter(nowMs, bytesOfIp(bytes), () => {
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
  throw new Reason(`all ${mostDevices} TUN devices are in use by other runs`);
}
