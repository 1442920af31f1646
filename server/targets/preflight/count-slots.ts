import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { strictest } from '../../base/addresses/load-limits.ts';
import { judgeAddress } from '../../base/addresses/target-policy.ts';
import { Dialer } from './dialer.ts';
import { CheckBudget, CheckProblem } from './inspection.ts';
import { firstRequest } from './walk-transaction.ts';

type Asked<Name extends string> = {
  listeners: Record<Name, Listener>;
  /** Connections of each arm; fewer are opened where the permit of the host allows fewer. */
  connections: number;
  scenario: Scenario;
  tls: TlsProfile;
  signal: AbortSignal;
};

/** Connections that a server answers while all of them are open, on each arm. */
type Slots<Name extends string> = Record<Name, number>;

/** Time without an answer on any connection after which the rest count as waiting. */
const patienceMs = 1_000;
/** A server whose first answer is slow gets more time, because its second one may be slow, too. */
const patienceInAnswers = 3;
const longestMs = 10_000;
/** Below this share, handshakes may fail for another reason than a limit. */
const leastBrokenOff = 0.1;
const everyMs = 20;

/**
 * Opens as many connections as a run will hold, sends one request on each, and keeps them open: a server with a fixed number of workers
 * answers only as many as it has workers. A side that is its own twin gets twice as many as the other one. Null if all are answered, if a
 * request may not be sent twice, and if the others stay unanswered after the answered ones are closed, because then their number is not
 * the reason.
 */
export async function countSlots<Name extends string>(asked: Asked<Name>): Promise<Slots<Name> | null> {
  const { scenario, signal } = asked;
  const arms = Object.keys(asked.listeners) as Name[];
  const listeners = arms.map((arm) => asked.listeners[arm]);
  const [step] = scenario.steps;
  const isSafe = step !== undefined && ['GET', 'HEAD'].includes(step.method);
  if (!isSafe || !listeners.every((listener) => speaksHttp1(listener) && isPermitted(listener))) return null;
  const budget = CheckBudget.of(listeners);
  const over = new AbortController();
  const most = strictest(listeners)?.caps.connections ?? Number.POSITIVE_INFINITY;
  const connections = Math.min(asked.connections, Math.floor(most / arms.length));
  const untilMs = longestMs + (budget?.waitMs(2 * connections * arms.length) ?? 0);
  const options = { budget, timeoutMs: untilMs, signal: AbortSignal.any([signal, over.signal]) };
  const held = arms.flatMap((arm) => {
    const listener = asked.listeners[arm];
    const dialer = new Dialer(listener, listener.tls ?? asked.tls, options);
    return Array.from({ length: connections }, () => hold(arm, dialer, scenario));
  });
  try {
    const isQuiet = await untilQuiet(held, untilMs, signal);
    const served = held.filter(({ state }) => state === 'served');
    if (!isQuiet || served.length === 0 || served.length === held.length) return null;
    for (const { socket } of served) socket?.destroy();
    const waiting = held.filter(({ state }) => state === 'waiting');
    // When nginx has few connections left, it drops unanswered and idle ones and announces that it closes others.
    const brokenOff = held.filter(({ state }) => state === 'broken off').length;
    const wasDropped =
      held.some(({ state }) => state === 'dropped' || state === 'closes') ||
      brokenOff > leastBrokenOff * held.length;
    if (!wasDropped && !(await anyAnswered(waiting, signal))) return null;
    const count = (arm: Name) => served.filter((each) => each.arm === arm).length;
    return Object.fromEntries(arms.map((arm) => [arm, count(arm)])) as Slots<Name>;
  } finally {
    over.abort();
    for (const { socket } of held) socket?.destroy();
  }
}

/**
 * `closes`: the server announced the close in its answer. `dropped`: it closed the connection without notice, answered or not. `broken off`:
 * the handshake failed.
 */
type Held<Name extends string> = {
  arm: Name;
  socket: Socket | null;
  state: 'waiting' | 'served' | 'closes' | 'dropped' | 'broken off';
};

function hold<Name extends string>(arm: Name, dialer: Dialer, scenario: Scenario): Held<Name> {
  const held: Held<Name> = { arm, socket: null, state: 'waiting' };
  void ask().catch((error: unknown) => {
    // A connection that fails or opens too late stays unanswered.
    if (!(error instanceof CheckProblem)) throw error;
    if (error.check === 'tls') held.state = 'broken off';
  });
  return held;

  async function ask(): Promise<void> {
    const { socket } = await dialer.dial();
    held.socket = socket;
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      held.state = closes(bytes) ? 'closes' : 'served';
    });
    socket.on('data', () => {});
    socket.once('close', () => {
      if (held.state !== 'closes') held.state = 'dropped';
    });
    await dialer.budget?.begin(dialer.signal);
    socket.write(firstRequest(dialer, scenario));
  }
}

/** Waits until all are answered, or none has been for a while. False where answers still come at the end. */
async function untilQuiet(
  held: readonly Held<string>[],
  longestMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const fromMs = performance.now();
  let [answered, latestMs, firstMs] = [0, fromMs, 0];
  for (;;) {
    await pause(everyMs, undefined, { signal });
    const nowMs = performance.now();
    const now = held.filter(({ state }) => state !== 'waiting').length;
    if (now === held.length) return true;
    if (now > answered) [answered, latestMs] = [now, nowMs];
    if (firstMs === 0 && now > 0) firstMs = nowMs - fromMs;
    if (nowMs - latestMs > Math.max(patienceMs, patienceInAnswers * firstMs)) return true;
    if (nowMs - fromMs > longestMs) return false;
  }
}

async function anyAnswered(waiting: readonly Held<string>[], signal: AbortSignal): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  while (performance.now() < untilMs) {
    if (waiting.some(({ state }) => state === 'served' || state === 'closes')) return true;
    await pause(everyMs, undefined, { signal });
  }
  return false;
}

function speaksHttp1({ transport }: Listener): boolean {
  return transportFacts[transport].httpVersion === '1.1';
}

function isPermitted({ address, hostname, permit }: Listener): boolean {
  return judgeAddress(address, hostname, permit === undefined ? [] : [permit]).permitted;
}

/** Whether the head of an answer announces the end of its connection. */
function closes(bytes: Buffer): boolean {
  const lines = bytes.toString('latin1').split('\r\n');
  return lines.some((line) => /^connection:/i.test(line) && /\bclose\b/i.test(line));
}
