import { namesOf } from '../../../../shared/base/arms.ts';
import { capitalized } from '../../../../shared/base/capitalized.ts';
import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import { defaultTlsProfile, type NegotiatedTls } from '../../../../shared/base/tls-profile.ts';
import { type MeshArm, type MeshRequest, meshArms } from '../../../../shared/kinds/mesh/mesh.ts';
import { meshTable } from '../../../../shared/kinds/mesh/options.ts';
import type { CheckId, PreflightReport } from '../../../../shared/target/preflight.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { isOwnAnswer } from '../../../targets/managed/status-of.ts';
import { preflight } from '../../../targets/preflight/preflight.ts';
import { problemOf, problemOfSide } from '../../../targets/target-problem.ts';
import { scenarioOf } from '../plan/plan-mesh.ts';

type Asked = Pick<MeshRequest, 'proxy' | 'address' | 'bytes'>;

/** What each arm is called. */
export function labelsOf({ proxy }: Pick<MeshRequest, 'proxy'>): Record<MeshArm, string> {
  const name = meshTable.proxy.labels[proxy];
  return {
    direct: 'direct',
    plain: `through ${name}`,
    secure: `through ${name} with TLS`,
    twin: 'direct again',
  };
}

/** Looks at the application before anything stands in front of it. Throws target_unreachable or scenario_unfit. */
export async function demandApplication(
  request: Asked,
  { direct, twin }: Record<MeshArm, Listener>,
  signal: AbortSignal,
): Promise<void> {
  const report = await inspect(request, direct, twin, signal);
  if (report.ok) return;
  const isReached = report.sides.baseline.responses.length > 0;
  const found = report.problem ?? 'The application could not be checked.';
  // There is one application, however often it is asked.
  throw isReached
    ? problem('scenario_unfit', `Without a proxy, ${found.replace(' on both sides', '')}`)
    : problem('target_unreachable', found);
}

/**
 * The same content on every arm. Throws target_unreachable for a proxy that answers by itself, and not_comparable for one that changes
 * what the application answers. Returns what the client and the proxy agreed on in TLS, null without it, and what else a reader must
 * know of the answers, such as a header that only one path has.
 */
export async function demandSame(
  request: Asked,
  listeners: Record<MeshArm, Listener>,
  signal: AbortSignal,
): Promise<{ negotiated: NegotiatedTls | null; warnings: string[] }> {
  const labels = labelsOf(request);
  let negotiated: NegotiatedTls | null = null;
  const warnings: string[] = [];
  for (const arm of ['plain', 'secure'] as const) {
    const report = await inspect(request, listeners.direct, listeners[arm], signal);
    if (!report.ok) {
      const own = await ownAnswer(request, listeners, arm);
      const found = report.problem ?? 'The preflight checks failed.';
      throw own ?? problem('not_comparable', `A request ${labels[arm]} is not the same: ${found}`);
    }
    negotiated = report.sides.comparison.tls;
    warnings.push(
      ...report.sides.comparison.checks
        .filter(({ id, status }) => status === 'warn' && ofAnswers.has(id))
        .map(({ message }) => `${capitalized(labels[arm])}: ${message}`),
    );
  }
  return { negotiated, warnings };
}

/** Checks of what is answered. */
const ofAnswers = new Set<CheckId>(['content', 'encoding', 'http_version', 'cookies']);

function inspect(
  request: Asked,
  baseline: Listener,
  comparison: Listener,
  signal: AbortSignal,
): Promise<PreflightReport> {
  return preflight({
    listeners: { baseline, comparison },
    scenario: scenarioOf(request),
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    signal,
  });
}

/** Why nothing more can be measured: the arm that failed, told apart from the application behind it. */
export async function problemIn(
  request: Asked,
  listeners: Record<MeshArm, Listener>,
  generator: Pick<Generator, 'collect'>,
  where: string,
): Promise<ProblemError> {
  const labels = labelsOf(request);
  for (const arm of namesOf<MeshArm>(meshArms)) {
    const { errors } = await generator.collect(arm);
    if (errors.length === 0) continue;
    const own = await ownAnswer(request, listeners, arm);
    return own ?? problemOfSide(labels[arm], errors, where);
  }
  return problemOf([], where);
}

/** Null where it is the application that answers, or nobody. */
async function ownAnswer(
  request: Asked,
  listeners: Record<MeshArm, Listener>,
  arm: MeshArm,
): Promise<ProblemError | null> {
  const [step] = scenarioOf(request).steps;
  const listener = listeners[arm];
  if (step === undefined || arm === 'direct' || arm === 'twin') return null;
  const own = await isOwnAnswer(listener, step.path, listener.clientIdentity).catch(() => false);
  if (!own) return null;
  const { address, port } = listeners.direct;
  return problem(
    'target_died',
    `${meshTable.proxy.labels[request.proxy]} answers an error by itself: it cannot reach the application at ${address}:${port}.`,
  );
}
