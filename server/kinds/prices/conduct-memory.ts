import { setTimeout as pause } from 'node:timers/promises';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import type { SideName } from '../../../shared/base/transport.ts';
import type { MemoryLadder, PricesRequest } from '../../../shared/kinds/prices/prices.ts';
import type { Listener } from '../../../shared/target/target.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { targetProblem } from '../../targets/preflight/target-parts.ts';
import type { Apparatus } from '../apparatus.ts';
import { priceScenario } from './price-cells.ts';

/** Connections that each step adds: 250, 500, 1,000, and 2,000 in all. */
const added = [250, 250, 500, 1000];
const requestTimeoutMs = 20_000;
const lookEveryMs = 250;
/** Memory has settled once it stays within a thousandth for this many looks. */
const steadyLooks = 3;
const longestSettlingMs = 5000;

/**
 * Opens connections step by step, sends a request on each, leaves them idle, and reads the memory of the server. It must not have had as
 * many connections before, because most servers keep the memory of closed ones.
 */
export async function climbLadder(
  side: SideName,
  listener: Listener,
  request: PricesRequest,
  apparatus: Apparatus,
  signal: AbortSignal,
): Promise<MemoryLadder> {
  const sampler = apparatus.openSampler(listener);
  if (sampler === null)
    return { side, steps: [], closedBytes: 0, problem: 'The memory of the server cannot be read.' };
  const readBytes = () => sampler.read().pssBytes;
  const generators: Generator[] = [];
  const steps = [{ connections: 0, bytes: await settled(readBytes, signal) }];
  let problem: string | null = null;
  try {
    for (const connections of added) {
      signal.throwIfAborted();
      const generator = await apparatus.startGenerator(1, signal);
      generators.push(generator);
      problem = await open(generator, listener, connections, request);
      if (problem !== null) break;
      const bytes = await settled(readBytes, signal);
      problem = await closedOf(generators, listener);
      if (problem !== null) break;
      steps.push({ connections: (steps.at(-1)?.connections ?? 0) + connections, bytes });
    }
  } finally {
    await Promise.allSettled(generators.map((generator) => generator.stop()));
  }
  return { side, steps, closedBytes: await settled(readBytes, signal), problem };
}

/** Returns why it was not possible, in a sentence. */
async function open(
  generator: Generator,
  listener: Listener,
  connections: number,
  request: PricesRequest,
): Promise<string | null> {
  await generator.configure({
    ...{ listeners: [listener], scenario: priceScenario(request), tls: defaultTlsProfile },
    ...{ connectionPolicy: 'keep-alive', connections, requestTimeoutMs },
  });
  const { errors } = await generator.prepare(listener.arm);
  if (errors.length > 0) return targetProblem(errors, 'opening connections').message;
  const once = { durationMs: 1, discardMs: 0, ratePerS: null, sameRow: true };
  const { succeeded, errors: failed } = await generator.run(listener.arm, once);
  return succeeded < connections ? targetProblem(failed, 'opening connections').message : null;
}

/** Preparing again opens those that the server closed meanwhile. */
async function closedOf(generators: readonly Generator[], { arm }: Listener): Promise<string | null> {
  let closed = 0;
  for (const generator of generators) closed += (await generator.prepare(arm)).connectionsOpened;
  return closed === 0 ? null : `The server closed ${closed} idle connections within a few seconds.`;
}

/** Waits until it no longer moves, for five seconds at most. */
async function settled(readBytes: () => number, signal: AbortSignal): Promise<number> {
  const untilMs = performance.now() + longestSettlingMs;
  let last = readBytes();
  for (let steady = 0; steady < steadyLooks && performance.now() < untilMs; ) {
    await pause(lookEveryMs, undefined, { signal });
    const bytes = readBytes();
    steady = Math.abs(bytes - last) <= last / 1000 ? steady + 1 : 0;
    last = bytes;
  }
  return last;
}
