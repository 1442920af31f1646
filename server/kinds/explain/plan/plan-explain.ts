import type { AskedArms, SideName } from '../../../../shared/base/transport.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type ExplainRequest, explainArms } from '../../../../shared/kinds/explain/explain.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { pathScenario } from '../../../../shared/scenario/path-scenario.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { type Target, targetSchema } from '../../../../shared/target/target.ts';

export const requestTimeoutMs = 5000;
/** Of a launch: without a recording, and with it. */
export type ExplainTimes = { plainMs: number; recordedMs: number };
export const usualTimes: ExplainTimes = { plainMs: 800, recordedMs: 2000 };
/** Of one side, unless its requests take longer. */
const burstMs = 40;
/** Starting the server and perf, and reading what it recorded. */
const aroundS = 1.5;
const warmUpS = 1.5;

/** They compile what runs often, and take longer until they are warm. */
const compilers: readonly string[] = ['node', 'jdk'];
const compilingFactor = 4;

function warmUpFactor({ server }: Pick<ExplainRequest, 'server'>): number {
  return compilers.includes(server) ? compilingFactor : 1;
}

/** What warming up and finding a load take of a plan. */
export function loadPlanOf({ connections, server }: Pick<ExplainRequest, 'connections' | 'server'>) {
  const factor = warmUpFactor({ server });
  return {
    arms: explainArms,
    ...{ connections, burstMs, maximumMs: usualTimes.recordedMs, thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { requests: factor * 1500, longestMs: factor * 1200 },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

type ExplainPhase = 'preparing' | 'measuring';

export function explainPhases({
  launches,
  server,
}: Pick<ExplainRequest, 'launches' | 'server'>): Phase<ExplainPhase>[] {
  const launchS =
    aroundS + warmUpFactor({ server }) * warmUpS + (usualTimes.plainMs + usualTimes.recordedMs) / 1000;
  return [
    { name: 'preparing', seconds: 2 },
    { name: 'measuring', seconds: launches * launchS, rounds: launches },
  ];
}

/** A server for each side. */
export function askedServer({ server, bytes, key, baseline, comparison }: ExplainRequest): {
  target: Target;
} & AskedArms<SideName> {
  return {
    target: targetSchema.parse({ kind: 'managed', server, documents: [bytes], key }),
    arms: explainArms,
    transports: [baseline, comparison],
  };
}

export function scenarioOf({ bytes }: Pick<ExplainRequest, 'bytes'>): Scenario {
  return pathScenario([`/${bytes}.html`]);
}
