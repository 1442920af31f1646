import { knownSide, type SideName } from '../../../shared/base/transport.ts';
import {
  type CheckId,
  checkIdSchema,
  failedChecks,
  type PreflightReport,
  type PreflightSide,
} from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { CheckBudget } from '../check-budget.ts';
import { inspectSide, type SideFindings } from './inspect-side.ts';
import type { Inspection } from './inspection.ts';
import { judgeOwnSide } from './judge-own-side.ts';
import { judgePair } from './judge-pair.ts';
import { type Judgement, skipped } from './judgement.ts';
import { roundTripConnections } from './measure-round-trip.ts';

export type PreflightOptions = Pick<Inspection, 'scenario' | 'tls' | 'connectionPolicy'> &
  Partial<Pick<Inspection, 'timeoutMs' | 'signal'>> & {
    listeners: { baseline: Listener; comparison: Listener };
  };

const defaultTimeoutMs = 5_000;
const totalMs = 15_000;

/**
 * One transaction a side over real connections, then 20 more connections where there is TLS: enough to say whether
 * the two sides can be compared, too little to count as load. It ends within 15 s, or 30 where it asks again, whatever the target does, and later only
 * where a permit slows it down.
 * Throws only the signal's reason.
 */
export async function preflight(options: PreflightOptions): Promise<PreflightReport> {
  const { first, second, inspection } = await inspectToJudge(options);
  return reportOn(first, second, inspection);
}

type InspectedPair = { first: SideFindings; second: SideFindings; inspection: Inspection };

/** Checks that one answer of a step decides. */
const byOneAnswer: ReadonlySet<CheckId> = new Set([
  'http_version',
  'status',
  'redirect',
  'content',
  'encoding',
]);

/** Both sides, once more where one answer would refuse them: in a reload, a worker that leaves says `close` or 502. */
export async function inspectToJudge(options: PreflightOptions): Promise<InspectedPair> {
  const pair = await inspectPair(options);
  const { sides } = reportOn(pair.first, pair.second, pair.inspection);
  const [failed] = failedChecks(sides);
  return failed !== undefined && byOneAnswer.has(failed.check.id) ? inspectPair(options) : pair;
}

/** Both sides at once, not judged yet. */
export async function inspectPair(options: PreflightOptions): Promise<InspectedPair> {
  options.signal?.throwIfAborted();
  const {
    listeners: { baseline, comparison },
    ...asked
  } = options;
  const budget = CheckBudget.of([baseline, comparison]);
  // The steps, their connections, and those of the looks at the path and at TLS.
  const looks = roundTripConnections(budget) + CheckBudget.handshakes(budget);
  const begun = 2 * (2 * options.scenario.steps.length + looks + 1);
  const overall = AbortSignal.timeout(totalMs + (budget?.waitMs(begun) ?? 0));
  const inspection: Inspection = {
    timeoutMs: defaultTimeoutMs,
    ...asked,
    signal: options.signal === undefined ? overall : AbortSignal.any([overall, options.signal]),
    ...{ budget, hostnames: [baseline.hostname, comparison.hostname] },
  };
  const [first, second] = await Promise.all([
    inspectSide(baseline, inspection),
    inspectSide(comparison, inspection),
  ]);
  options.signal?.throwIfAborted();
  return { first, second, inspection };
}

export function reportOn(first: SideFindings, second: SideFindings, inspection: Inspection): PreflightReport {
  const sides: PreflightReport['sides'] = {
    baseline: describeSide(first, second, inspection, 'baseline'),
    comparison: describeSide(second, first, inspection, 'comparison'),
  };
  const problem = failedChecks(sides)[0]?.check.message ?? null;
  return { ok: problem === null, problem, sides };
}

const titles: Record<CheckId, string> = {
  address: 'Address',
  connect: 'Connection',
  tls: 'TLS',
  certificate: 'Certificate',
  http_version: 'HTTP version',
  status: 'Status',
  redirect: 'Redirects',
  cookies: 'Cookies',
  scheme: 'Own scheme',
  content: 'Same content',
  encoding: 'Content encoding',
  resumption: 'Session resumption',
  process: 'Server process',
};

function describeSide(
  side: SideFindings,
  other: SideFindings,
  inspection: Inspection,
  role: SideName,
): PreflightSide {
  const judgements: Record<CheckId, () => Judgement> = {
    ...judgeOwnSide(side, other, inspection),
    ...judgePair(side, other, role),
  };
  return {
    ...knownSide(side.listener),
    origin: originOf(side.listener),
    address: side.listener.address,
    checks: checkIdSchema.options.map((id) => ({
      id,
      title: titles[id],
      ...judge(id, judgements[id], side),
    })),
    responses: side.answers.map(({ response }) => response),
    tls: side.identity?.negotiated ?? side.negotiated,
    pid: side.listener.pid,
    ...(side.serverFlight === null ? {} : { serverFlight: side.serverFlight }),
    ...(side.roundTrip === null ? {} : { roundTrip: side.roundTrip }),
  };
}

/** Nothing can be said about what comes after the problem, except which process it is. */
function judge(id: CheckId, judgement: () => Judgement, { problem }: SideFindings): Judgement {
  if (problem === null || id === 'process') return judgement();
  if (problem.check === id) return { status: 'fail', message: problem.message };
  const order = checkIdSchema.options;
  const reached = order.indexOf(id) < order.indexOf(problem.check);
  return reached ? judgement() : skipped(`Not checked, because “${titles[problem.check]}” failed.`);
}
