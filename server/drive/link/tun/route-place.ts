import { readFileSync, writeFileSync } from 'node:fs';
import type { Link } from '../../../../shared/kinds/comparison/link.ts';
import { usualInitialWindow } from '../../../../shared/kinds/comparison/link-text.ts';
import { runChild } from '../../../base/process/children.ts';
import { clientAddress, farNetwork, nearAddress } from './translate.ts';

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
    throw new Error(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
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
