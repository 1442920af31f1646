import type { TlsProfile } from '../../shared/base/tls-profile.ts';
import { type BySide, isEncrypted, sideNames } from '../../shared/base/transport.ts';
import type { Program } from '../../shared/kinds/comparison/program.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import { type Listener, rootsOf } from '../../shared/target/target.ts';
import { inodesHeldBy } from '../base/process/listener-pid.ts';
import { allListening } from '../base/process/listening-sockets.ts';
import { withDescendants } from '../base/process/process-tree.ts';
import { isAsked, isOnLoopback } from './local-servers.ts';
import type { Answer } from './preflight/answer.ts';
import { CheckProblem } from './preflight/check-problem.ts';
import { sameButAddress } from './preflight/compare-answers.ts';
import { differingHeaders } from './preflight/compare-headers.ts';
import { Dialer } from './preflight/dialer.ts';
import { walkTransaction } from './preflight/walk-transaction.ts';
import { connectTo } from './sampling/programs.ts';

/**
 * A forwarder passes on what it is sent, as docker-proxy, sslh, and HAProxy in tcp mode do: another program of this machine that works for
 * the requests shows our probe the same certificate at a listener of its own, or, where there is no TLS, gives the same answer.
 * A proxy that ends TLS is none.
 */

const loopback = '127.0.0.1';
const answerMs = 500;
/** Of a program; further ones are not asked. */
const mostPorts = 8;

type Asked = { scenario: Scenario; tls: TlsProfile; signal: AbortSignal };

/**
 * The programs, with the sides whose requests come to each target first, and with what forwards and what answers behind it marked. Only
 * loopback addresses are asked.
 */
export async function placeInChain(
  programs: readonly Program[],
  listeners: BySide<Listener>,
  asked: Asked,
): Promise<Program[]> {
  const targets = programs.filter(({ role }) => role === 'target');
  const parts = new Map<Program, Program['part']>();
  const sidesOf = ({ pids }: Program) =>
    sideNames.filter((side) => rootsOf(listeners[side]).some((pid) => pids.includes(pid)));
  for (const target of targets) {
    const own = sidesOf(target).map((side) => listeners[side]);
    const others = programs.filter((each) => each !== target);
    const behind = await answering(others, own, asked);
    const leadsFurther = (from: Program) =>
      connectTo(
        from.pids,
        [...behind].flatMap(([program, ports]) => (program === from ? [] : ports)),
      );
    // Through an open connection a forwarder has one to what is behind it.
    const open = await Promise.all(own.map((listener) => dialerOf(listener, asked).dial().catch(noneFor)));
    try {
      if (!leadsFurther(target)) continue;
      parts.set(target, 'forwarder');
      for (const program of behind.keys()) parts.set(program, leadsFurther(program) ? 'forwarder' : 'server');
    } finally {
      for (const connection of open) connection?.socket.destroy();
    }
  }
  return programs.map((program) => {
    const part = parts.get(program);
    const areApart = targets.length > 1 && program.role === 'target';
    return {
      ...program,
      ...(areApart ? { sides: sidesOf(program) } : {}),
      ...(part === undefined ? {} : { part }),
    };
  });
}

/** The programs that answer as all of a target's listeners do, with the ports on which they do so. */
async function answering(
  programs: readonly Program[],
  listeners: readonly Listener[],
  asked: Asked,
): Promise<Map<Program, number[]>> {
  const found = new Map<Program, number[]>();
  const shown = await Promise.all(listeners.map((listener) => identityAt(listener, asked)));
  if (listeners.length === 0) return found;
  for (const program of programs) {
    const ports: number[] = [];
    for (const [index, listener] of listeners.entries()) {
      const own = shown[index];
      if (own == null) break;
      const port = await firstPort(portsOf(program, listeners), async (each) => {
        const theirs = await identityAt({ ...listener, address: loopback, port: each }, asked);
        return theirs !== null && isSame(own, theirs);
      });
      if (port === null) break;
      ports.push(port);
    }
    if (ports.length === listeners.length) found.set(program, ports);
  }
  return found;
}

async function firstPort(
  ports: readonly number[],
  isRight: (port: number) => Promise<boolean>,
): Promise<number | null> {
  for (const port of ports) if (await isRight(port)) return port;
  return null;
}

/** Ports of loopback, in this network namespace, on which a program listens and the target does not. */
function portsOf({ pids }: Program, listeners: readonly Listener[]): number[] {
  const held = new Set(pids.flatMap(withDescendants).flatMap((pid) => [...inodesHeldBy(pid)]));
  const ports = allListening().flatMap((socket) =>
    held.has(socket.inode) && isOnLoopback(socket) && isAsked(socket.port) ? [socket.port] : [],
  );
  const others = [...new Set(ports)].filter((port) => listeners.every((listener) => listener.port !== port));
  return others.slice(0, mostPorts);
}

type Identity = { certificate: string } | { answer: Answer };

/** By what a listener can be told from others; null where it shows nothing. */
async function identityAt(listener: Listener, { scenario, tls, signal }: Asked): Promise<Identity | null> {
  const dialer = dialerOf(listener, { tls, signal });
  try {
    if (isEncrypted(listener.transport)) {
      const { socket, handshake } = await dialer.dial();
      socket.destroy();
      const certificate = handshake?.leaf?.fingerprint256;
      return certificate === undefined ? null : { certificate };
    }
    const [step] = scenario.steps;
    // Only the load sends what may change something.
    if (step === undefined || !['GET', 'HEAD'].includes(step.method)) return null;
    const inspection = {
      ...{ timeoutMs: answerMs, signal, budget: null, tls, hostnames: [listener.hostname] },
      ...{ connectionPolicy: 'keep-alive' as const, scenario: { ...scenario, steps: [step] } },
    };
    for await (const answer of walkTransaction(dialer, inspection)) return { answer };
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return noneFor(error);
  }
}

function dialerOf(listener: Listener, { tls, signal }: Pick<Asked, 'tls' | 'signal'>): Dialer {
  const profile = { ...(listener.tls ?? tls), verify: false };
  return new Dialer(listener, profile, { timeoutMs: answerMs, signal, budget: null });
}

function noneFor(error: unknown): null {
  if (error instanceof CheckProblem) return null;
  throw error;
}

function isSame(own: Identity, theirs: Identity): boolean {
  if ('certificate' in own) return 'certificate' in theirs && own.certificate === theirs.certificate;
  if (!('answer' in theirs)) return false;
  const [one, other] = [own.answer, theirs.answer];
  return (
    one.response.status === other.response.status &&
    (one.response.bodySha256 === other.response.bodySha256 || sameButAddress(one, other)) &&
    differingHeaders(one.headers, other.headers).length === 0
  );
}
