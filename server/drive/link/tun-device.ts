import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants as system } from 'node:os';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { usualInitialWindow } from '../../../shared/kinds/comparison/link-text.ts';
import { runChild } from '../../base/process/children.ts';
import { noSystemCalls } from '../../base/process/cpu.ts';
import { causeOf, Reason } from '../../base/text/foreign-errors.ts';
import { clientAddress, farNetwork, mtu, nearAddress } from './packets.ts';

/**
 * A TUN device: what the kernel sends out by it is read here, a packet at a time, and what is written here comes in by it. Like a
 * network card, it takes long packets of TCP and leaves their sums and their splitting to us, so that this costs the sender
 * nothing. Packets of UDP arrive as they go on the wire, only without their sums. It is not persistent: the kernel takes it and its routes away once this process closes it, however this process ends.
 * Source: Linux, Documentation/networking/tuntap.rst. Node has no ioctl, so the C library is asked.
 */
export type TunDevice = {
  /** Reads one packet, behind a header of virtio-net; 0 when none waits. */
  read(into: Uint8Array): number;
  write(packet: Uint8Array, bytes: number): void;
  /** Blocks until a packet waits or this time is over. */
  wait(ms: number): void;
  close(): void;
};

const path = '/dev/net/tun';

/** Architectures with the common numbers of ioctl. */
const architectures = ['x64', 'arm64', 'riscv64', 'loong64'];

/** `TUNSETIFF`, `IFF_TUN | IFF_NO_PI | IFF_VNET_HDR`, `TUNSETOFFLOAD`, `TUN_F_CSUM | TUN_F_TSO4`, `PR_SET_TIMERSLACK`, and `POLLIN`. */
const setInterface = 0x400454ca;

const plainTun = 0x5001;

const setOffload = 0x400454d0;

const sumsAndSplitting = 3;

const setTimerSlack = 29;

const pollIn = 1;

/** Layout of `struct ifreq`: the name, then the flags. */
const requestBytes = 40;

const deviceFlagsAt = 16;

/** Null where another process has a device of that name. Throws why there is none here, as the end of a sentence. */
export function openTunDevice(name: string): TunDevice | null {
  if (process.platform !== 'linux' || !architectures.includes(process.arch))
    throw new Reason(`${process.platform} ${process.arch} has no TUN device that TLS Toll can open`);
  const c = openLibrary();
  const fd = openFile();
  const request = new Uint8Array(requestBytes);
  request.set(Buffer.from(name));
  new Int16Array(request.buffer)[deviceFlagsAt / 2] = plainTun;
  if (c.ioctl(fd, setInterface, request) !== 0) {
    const code = c.errno();
    closeSync(fd);
    if (code === system.errno.EBUSY) return null;
    throw code === system.errno.EPERM ? new Reason(needsRoot) : refused('the TUN device was refused', code);
  }
  if (c.ioctlWith(fd, setOffload, sumsAndSplitting) !== 0) {
    const code = c.errno();
    closeSync(fd);
    throw refused('the TUN device does not accept long packets', code);
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

function refused(fact: string, code: number): Reason {
  return new Reason(`${fact} (details)`, { cause: `errno ${code}` });
}

const needsRoot = 'a TUN device takes root, or the capability CAP_NET_ADMIN';

function openFile(): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw new Reason(needsRoot);
    throw new Reason(
      code === 'ENOENT'
        ? `${path} is missing (in a container, add --device ${path} and --cap-add NET_ADMIN)`
        : `${path} cannot be opened: ${causeOf(error) ?? 'the system refuses it (details)'}`,
      { cause: error },
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
    throw new Reason(`${noSystemCalls} (details)`, { cause: error });
  }
}

const timeoutMs = 5000;

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
    const why = causeOf(error) ?? 'the system refuses it (details)';
    throw new Reason(`${file} cannot be written: ${why}`, { cause: error });
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
  throw new Reason(
    `this kernel has no congestion control ${congestionControl} (choose ${available.join(', ')}, or run modprobe tcp_${congestionControl})`,
  );
}

async function ip(...args: string[]): Promise<void> {
  try {
    await runChild('ip', args, { timeout: timeoutMs });
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw new Reason('the program ip is missing (install iproute2)');
    throw new Reason(`ip ${args.slice(0, 2).join(' ')} failed (details)`, { cause: stderr.trim() || error });
  }
}
