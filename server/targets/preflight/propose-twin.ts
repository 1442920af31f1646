import type { Arm } from '../../../shared/base/transport.ts';
import type { TargetCheck } from '../../../shared/target/preflight.ts';
import type { Listener, Target } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { otherPortsOf } from '../../base/process/listeners.ts';
import { inspectSide } from './inspect-side.ts';
import type { PreflightOptions } from './preflight.ts';

/**
 * A second plain listener of the process that serves the baseline: it answers the first GET of the scenario as the baseline
 * did. Null where the target names a twin, where the baseline is encrypted, and where there is none.
 */
export async function proposeTwin(
  target: Target,
  { baseline, comparison }: Record<Arm, Listener>,
  { sides }: TargetCheck,
  { scenario, tls, connectionPolicy, signal }: Omit<PreflightOptions, 'listeners'>,
): Promise<string | null> {
  const [first] = scenario.steps;
  if (target.kind !== 'origins' || target.twin !== undefined || baseline.transport !== 'http') return null;
  // What listens on this machine says nothing about another one.
  if (first?.method !== 'GET' || baseline.permit !== undefined) return null;
  const found = new AbortController();
  const ends = [found.signal, AbortSignal.timeout(lookMs), ...(signal === undefined ? [] : [signal])];
  const inspection = {
    ...{ scenario: { ...scenario, steps: [first] }, tls, connectionPolicy, timeoutMs: lookMs },
    signal: AbortSignal.any(ends),
    budget: null,
    hostnames: [baseline.hostname],
  };
  const expected = keyOf(sides.baseline.responses[0]);
  const ports = otherPortsOf(baseline.address, baseline.port).filter((port) => port !== comparison.port);
  const looks = ports.slice(0, mostPorts).map(async (port) => {
    const listener: Listener = { ...baseline, arm: 'twin', port };
    const { problem, answers } = await inspectSide(listener, inspection);
    if (problem !== null || keyOf(answers[0]?.response) !== expected) throw new Error('not a twin');
    return originOf(listener);
  });
  // All at once: a port that never answers holds up none that does.
  const origin = await Promise.any(looks).catch(() => null);
  found.abort();
  return origin;
}

const lookMs = 3_000;
const mostPorts = 8;

function keyOf(response: { status: number; bodySha256: string } | undefined): string | null {
  return response === undefined ? null : `${response.status} ${response.bodySha256}`;
}
