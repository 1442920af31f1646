import { setPriority } from 'node:os';
import { answerQuestions } from '../../base/process/answer-questions.ts';
import { runChild } from '../../base/process/children.ts';
import { PacketWay } from '../../drive/link/tun/packet-way.ts';
import { splitPacket } from '../../drive/link/tun/split-packet.ts';
import { openTunDevice, type TunDevice } from '../../drive/link/tun/tun-device.ts';
import { delayQuestions } from './delay-questions.ts';

/** Carries packets of TCP between network namespaces, over pairs of TUN devices, half of a round trip later than they came. */

const longestRead = 10 + 65_535;
const longestPacket = 1536;
/** Devices are looked at so often, and so late a packet may be. */
const everyMs = 0.2;
const turnMs = 5;
const priority = -10;
/** Where a packet has the version of IP and its protocol, behind a header of virtio-net. */
const [ipAt, protocolAt] = [10, 19];
const [ip4, tcp] = [0x45, 6];

type Way = { from: TunDevice; to: TunDevice; line: PacketWay };

const ways: Way[] = [];
const into = new Uint8Array(longestRead);

answerQuestions(delayQuestions, {
  async open({ from, to, roundTripMs }) {
    const names = [];
    for (const [nth, pid] of to.entries()) {
      const [near, far] = [await device(`ttn${from}-${nth}`, from), await device(`ttf${from}-${nth}`, pid)];
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const)
        ways.push({
          from: one.tun,
          to: other.tun,
          line: new PacketWay({ roundTripMs, mbitPerS: null }, () => 1),
        });
      names.push({ near: near.name, far: far.name });
    }
    setPriority(priority);
    turn();
    return names;
  },
});

/** In the network of another process. */
async function device(name: string, pid: number): Promise<{ name: string; tun: TunDevice }> {
  const tun = openTunDevice(name);
  if (tun === null) throw new Error(`the device ${name} exists already`);
  await runChild('ip', ['link', 'set', name, 'netns', `${pid}`], { timeout: 5000 });
  return { name, tun };
}

function turn(): void {
  const untilMs = performance.now() + turnMs;
  for (let nowMs = performance.now(); nowMs < untilMs; nowMs = performance.now()) {
    for (const way of ways) {
      way.line.line.release(nowMs);
      take(way, nowMs);
    }
    ways[0]?.from.wait(everyMs);
  }
  setImmediate(turn);
}

function take({ from, to, line }: Way, nowMs: number): void {
  for (let length = from.read(into); length > 0; length = from.read(into)) {
    if (into[ipAt] !== ip4 || into[protocolAt] !== tcp) continue;
    splitPacket(
      into,
      length,
      () => new Uint8Array(longestPacket),
      (packet, bytes, carried) => line.enter(nowMs, carried, () => to.write(packet, bytes)),
    );
  }
}
