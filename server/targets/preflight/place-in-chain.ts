import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { type BySide, isEncrypted, sideNames } from '../../../shared/base/transport.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { type Listener, rootsOf } from '../../../shared/target/target.ts';
import { inodesHeldBy, isAsked, loopbackPorts } from '../../base/process/listeners.ts';
import { withDescendants } from '../../base/process/proc.ts';
import { connectTo } from '../sampling/programs.ts';
import { differingHeaders, sameButAddress } from './compared-answers.ts';
import { Dialer } from './dialer.ts';
import { type Answer, CheckProblem } from './inspection.ts';
import { walkTransaction } from './walk-transaction.ts';

/**
 * A forwarder passes bytes on, like docker-proxy, sslh, and HAProxy in tcp mode: its connections lead to another program of this machine
 * that works for the requests and whose own listener shows our probe the same certificate and gives the same answer. A proxy that
 * terminates TLS is not a forwarder.
 */

const loopback = '127.0.0.1';
const answerMs = 500;
/** Most ports of a program that are asked. */
const mostPorts = 8;

type Asked = { scenario: Scenario; tls: TlsProfile; signal: AbortSignal };

/**
 * Programs with the sides whose requests reach each target first, and with forwarders and the servers behind them marked. Only
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
    const answering = await answeringAs(own, others, asked);
    if (answering.size === 0) continue;
    // While a connection is open, a forwarder has another one to the program behind it.
    const open = await Promise.all(own.map((listener) => dialerOf(listener, asked).dial().catch(noneFor)));
    const behind = reachedFrom(target, programs);
    /** Only a connection to a port that gives the same answer counts. */
    const leadsOn = (from: Program) =>
      [from, ...reachedFrom(from, programs)].some((each) =>
        [...answering].some(
          ([server, ports]) => server !== from && server !== each && connectTo(each.pids, ports),
        ),
      );
    const forwarders = [target, ...behind].filter(leadsOn);
    for (const connection of open) connection?.socket.destroy();
    if (!forwarders.includes(target)) continue;
    for (const program of forwarders) parts.set(program, 'forwarder');
    for (const program of behind)
      if (answering.has(program) && !forwarders.includes(program)) parts.set(program, 'server');
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

/** Programs that a program's connections lead to, directly or through others. */
function reachedFrom(
  program: Program,
  programs: readonly Program[],
  reached = new Set<Program>(),
): Set<Program> {
  for (const each of programs) {
    if (each === program || reached.has(each) || !connectTo(program.pids, portsOf(each))) continue;
    reached.add(each);
    reachedFrom(each, programs, reached);
  }
  return reached;
}

/** Programs that answer like all of a target's listeners, with the ports on which they do. */
async function answeringAs(
  listeners: readonly Listener[],
  programs: readonly Program[],
  asked: Asked,
): Promise<Map<Program, number[]>> {
  const found = new Map<Program, number[]>();
  const shown = await Promise.all(listeners.map((listener) => identityAt(listener, asked)));
  if (listeners.length === 0 || shown.includes(null)) return found;
  for (const program of programs) {
    const ports = portsOf(program)
      .filter((port) => isAsked(port) && listeners.every((listener) => listener.port !== port))
      .slice(0, mostPorts);
    const alike = await Promise.all(
      listeners.map((listener, index) => portAlike(listener, shown[index] ?? null, ports, asked)),
    );
    const known = alike.filter((port) => port !== null);
    if (known.length === listeners.length) found.set(program, known);
  }
  return found;
}

/** First port that answers like a listener; null for none. */
async function portAlike(
  listener: Listener,
  own: Identity | null,
  ports: readonly number[],
  asked: Asked,
): Promise<number | null> {
  for (const port of ports) {
    const theirs = await identityAt({ ...listener, address: loopback, port }, asked);
    if (own !== null && theirs !== null && isSame(own, theirs)) return port;
  }
  return null;
}

/** Ports of loopback, in this network namespace, on which a program listens. */
function portsOf({ pids }: Program): number[] {
  return loopbackPorts(new Set(pids.flatMap(withDescendants).flatMap((pid) => [...inodesHeldBy(pid)])));
}

/** Certificate and answer that identify a listener; each is null if it cannot be asked for. */
type Identity = { certificate: string | null; answer: Answer | null };

async function identityAt(listener: Listener, { scenario, tls, signal }: Asked): Promise<Identity | null> {
  const dialer = dialerOf(listener, { tls, signal });
  const identity: Identity = { certificate: null, answer: null };
  try {
    if (isEncrypted(listener.transport)) {
      const { socket, handshake } = await dialer.dial();
      socket.destroy();
      identity.certificate = handshake?.leaf?.fingerprint256 ?? null;
    }
    const [step] = scenario.steps;
    // Only the load sends requests that may change something.
    if (step === undefined || !['GET', 'HEAD'].includes(step.method))
      return identity.certificate === null ? null : identity;
    const inspection = {
      ...{ timeoutMs: answerMs, signal, budget: null, tls, hostnames: [listener.hostname] },
      ...{ connectionPolicy: 'keep-alive' as const, scenario: { ...scenario, steps: [step] } },
    };
    for await (const answer of walkTransaction(dialer, inspection)) return { ...identity, answer };
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
  if (own.certificate !== theirs.certificate) return false;
  const [one, other] = [own.answer, theirs.answer];
  if (one === null || other === null) return one === other;
  return (
    one.response.status === other.response.status &&
    (one.response.bodySha256 === other.response.bodySha256 || sameButAddress(one, other)) &&
    differingHeaders(one.headers, other.headers).length === 0
  );
}
