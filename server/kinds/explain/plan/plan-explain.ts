import { defaultTlsProfile, type TlsProfile } from '../../../../shared/base/tls-profile.ts';
import type { AskedArms, SideName } from '../../../../shared/base/transport.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type ExplainRequest, explainArms } from '../../../../shared/kinds/explain/explain.ts';
import { storefront } from '../../../../shared/kinds/explain/options.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { pathScenario } from '../../../../shared/scenario/path-scenario.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { type Target, targetSchema } from '../../../../shared/target/target.ts';

export const requestTimeoutMs = 5000;
/** Of a launch: until it is warm at the latest, without a recording, and with it. */
export type ExplainTimes = { warmUpMs: number; plainMs: number; recordedMs: number };
export const usualTimes: ExplainTimes = { warmUpMs: 1200, plainMs: 800, recordedMs: 2000 };
/** Of one side, unless its requests take longer. */
const burstMs = 40;
/** Starting the server and perf, and reading what it recorded. */
const aroundS = 1.5;
const warmUpS = 1.5;

/** They compile what runs often, and take longer until they are warm. */
const compilers: readonly string[] = ['node', 'jdk', storefront];
const compilingFactor = 4;

function warmUpFactor({ server, run }: Pick<ExplainRequest, 'server' | 'run'>): number {
  const target = run?.target;
  const named = target === undefined ? server : target.kind === 'managed' ? target.server : target.kind;
  return compilers.includes(named) ? compilingFactor : 1;
}

/** What warming up and finding a load take of a plan. */
export function loadPlanOf(
  request: Pick<ExplainRequest, 'connections' | 'server' | 'run'>,
  times: ExplainTimes,
) {
  const { connections } = request.run ?? request;
  const factor = warmUpFactor(request);
  return {
    arms: explainArms,
    ...{ connections, burstMs, maximumMs: usualTimes.recordedMs, thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { requests: factor * 1500, longestMs: factor * times.warmUpMs },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

type ExplainPhase = 'preparing' | 'measuring';

export function explainPhases(
  request: Pick<ExplainRequest, 'launches' | 'server' | 'run'>,
): Phase<ExplainPhase>[] {
  const { launches } = request;
  const launchS =
    aroundS + warmUpFactor(request) * warmUpS + (usualTimes.plainMs + usualTimes.recordedMs) / 1000;
  return [
    { name: 'preparing', seconds: 2 },
    { name: 'measuring', seconds: launches * launchS, rounds: launches },
  ];
}

/** A server for each side. */
export function askedServer(request: ExplainRequest): { target: Target } & AskedArms<SideName> {
  const { baseline, comparison } = request;
  return { target: targetOf(request), arms: explainArms, transports: [baseline, comparison] };
}

/** What both sides ask for in TLS, where neither has something of its own. */
export function tlsOf({ run }: Pick<ExplainRequest, 'run'>): TlsProfile {
  return run?.tls ?? defaultTlsProfile;
}

function targetOf({ target, server, bytes, key }: ExplainRequest): Target {
  if (target !== undefined) return target;
  if (server === storefront) return { kind: storefront };
  return targetSchema.parse({ kind: 'managed', server, documents: [bytes], key });
}

export function scenarioOf(
  request: Pick<ExplainRequest, 'target' | 'server' | 'bytes' | 'path' | 'run'>,
): Scenario {
  const { target, server, bytes, path, run } = request;
  const isDocument = target === undefined && server !== storefront;
  return run?.scenario ?? pathScenario([isDocument ? `/${bytes}.html` : (path ?? '/')]);
}
