import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { problem } from '../../shared/problem.ts';
import type { ForeignTarget, Listener } from '../../shared/target.ts';
import { type Arm, arms, type TransportPair, transportOf } from '../../shared/transport.ts';
import { judgeAddress, judgeOrigin } from '../policy/target-policy.ts';

const lookupMs = 5_000;
const tryMs = 1_000;

/**
 * Looks the two origins up once and pins their addresses for the whole run, so that a name cannot lead elsewhere
 * later. Throws target_not_permitted, naming address and range, unless every address of both names is loopback;
 * target_unreachable when a name has none. The twin is the baseline's listener again.
 */
export async function resolveForeignTarget(
  target: ForeignTarget,
  transports: TransportPair,
): Promise<{ listeners: Record<Arm, Listener> }> {
  const http = await pin(target, 'http');
  const https = await pin(target, 'https');
  const pinned = { http, https, h2c: http, h2: https };
  const listeners = arms.map((arm) => {
    const transport = transportOf(arm, transports);
    return [arm, { arm, ...pinned[transport], transport }];
  });
  return { listeners: Object.fromEntries(listeners) as Record<Arm, Listener> };
}

function pin(target: ForeignTarget, transport: 'http' | 'https'): Promise<Omit<Listener, 'arm'>> {
  return resolveOrigin(target[transport], transport, {
    field: `target.${transport}`,
    ca: transport === 'https' ? (target.ca ?? null) : null,
    pid: target.pid ?? null,
  });
}

/** One origin, looked up once and pinned. Throws as `resolveForeignTarget` does; `field` is what a bad origin is said of. */
export async function resolveOrigin(
  origin: string,
  transport: 'http' | 'https',
  { field, ca, pid }: { field: string } & Pick<Listener, 'ca' | 'pid'>,
): Promise<Omit<Listener, 'arm'>> {
  const judgement = judgeOrigin(origin, transport);
  if (!judgement.valid) {
    const errors = [{ field, message: judgement.reason }];
    throw problem('invalid_request', { detail: `${field}: ${judgement.reason}`, errors });
  }
  const { hostname, port } = judgement.origin;
  const addresses = await addressesOf(hostname);
  for (const address of addresses) {
    const verdict = judgeAddress(address);
    if (verdict.permitted) continue;
    const led = address === hostname ? '' : `${hostname} leads to ${address}. `;
    throw problem('target_not_permitted', `${led}${verdict.reason}`);
  }
  return {
    transport,
    hostname,
    address: await firstThatListens(addresses, port),
    port,
    ca,
    pid,
  };
}

async function addressesOf(hostname: string): Promise<[string, ...string[]]> {
  const patience = AbortSignal.timeout(lookupMs);
  const tooSlow = new Promise<never>((_, reject) => {
    patience.addEventListener('abort', () => reject(patience.reason), { once: true });
  });
  try {
    const found = await Promise.race([lookup(hostname, { all: true }), tooSlow]);
    const [first, ...others] = found.map((entry) => entry.address);
    if (first === undefined) throw new Error('no address');
    return [first, ...others];
  } catch (error) {
    throw problem('target_unreachable', `The name ${hostname} cannot be resolved.`, { cause: error });
  }
}

/** `localhost` is two addresses, and many servers listen on one of them only. */
async function firstThatListens(addresses: readonly [string, ...string[]], port: number): Promise<string> {
  if (addresses.length === 1) return addresses[0];
  for (const address of addresses) {
    if (await takesConnections(address, port)) return address;
  }
  return addresses[0];
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(tryMs) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
