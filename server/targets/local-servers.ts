import { basename } from 'node:path';
import type { Scheme } from '../../shared/base/transport.ts';
import type { LocalServer } from '../../shared/target/local-server.ts';
import { findListenerPid } from '../base/process/listener-pid.ts';
import { allListening } from '../base/process/listening-sockets.ts';
import { programOf } from '../base/process/proc-files.ts';
import { askOnce, dial, withDeadline } from '../base/wire/ask.ts';

const address = '127.0.0.1';
const answerMs = 400;
/** Further ones are left out, the highest ports first. */
const mostPorts = 40;
/** From here on ports are taken at random, by clients and by what is started for a measurement (ip(7), `ip_local_port_range`). */
const firstEphemeral = 32_768;
/** What listens there is asked for neither HTTP nor TLS: SSH, mail, DNS, printers, databases, queues. */
const otherPorts = new Set([
  22, 25, 53, 111, 143, 465, 587, 631, 993, 995, 2049, 2181, 3306, 5432, 5672, 6379, 9092, 11_211, 27_017,
]);

/** Each is asked once whether it speaks TLS, and if not, for the head of `/`. @param own process that is no target */
export async function findLocalServers(own: number | null = process.pid): Promise<LocalServer[]> {
  const ports = [
    ...new Set(
      allListening()
        .filter(isOnLoopback)
        .map(({ port }) => port),
    ),
  ]
    .filter((port) => port < firstEphemeral && isAsked(port))
    .toSorted((a, b) => a - b)
    .slice(0, mostPorts);
  const spoken = await Promise.all(ports.map(async (port) => ({ port, scheme: await schemeAt(port) })));
  const servers = new Map<string, LocalServer>();
  for (const { port, scheme } of spoken) {
    if (scheme === null) continue;
    const pid = findListenerPid(address, port);
    if (pid !== null && pid === own) continue;
    const path = pid === null ? null : programOf(pid);
    const key = pid === null ? `port ${port}` : String(pid);
    const server = servers.get(key) ?? { program: path && basename(path), http: [], https: [] };
    server[scheme].push(port);
    servers.set(key, server);
  }
  return [...servers.values()];
}

/** Whether what listens on a port may be asked what it speaks. */
export function isAsked(port: number): boolean {
  return !otherPorts.has(port);
}

/** All addresses, or 127.0.0.1, as the kernel writes them; of IPv6 all of them take IPv4 too. */
export function isOnLoopback({ address: hex }: { address: string }): boolean {
  return /^0+$/.test(hex) || hex.endsWith('7F000001');
}

async function schemeAt(port: number): Promise<Scheme | null> {
  if (await speaksTls(port)) return 'https';
  return (await speaksHttp(port)) ? 'http' : null;
}

async function speaksTls(port: number): Promise<boolean> {
  const tls = { servername: 'localhost', rejectUnauthorized: false };
  try {
    await withDeadline(answerMs, undefined, async (hold) => {
      (await dial({ address, port, tls }, hold)).destroy();
    });
    return true;
  } catch {
    return false;
  }
}

async function speaksHttp(port: number): Promise<boolean> {
  const asked = askOnce({ address, port, tls: null }, { method: 'HEAD', path: '/' }, { limitMs: answerMs });
  return asked.then(
    () => true,
    () => false,
  );
}
