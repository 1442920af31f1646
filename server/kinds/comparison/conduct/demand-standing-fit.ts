import { ProblemError, problemAt } from '../../../../shared/base/problem.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import type { Scenario, SecretValues } from '../../../../shared/scenario/scenario.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { fillSecrets } from '../../../intake/scenario/secrets.ts';
import { maskSecrets } from '../../../intake/traffic/mask-secrets.ts';
import { askTarget } from '../../../targets/ask-target.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../../targets/open-target.ts';
import { checkOnce } from '../../../targets/preflight/check-once.ts';
import { startSignal } from '../../../targets/start-limit.ts';
import { realApparatus } from '../../apparatus.ts';
import { runArms } from '../plan/question.ts';
import { demandFit } from './demand-fit.ts';
import { openReadings } from './open-readings.ts';

/**
 * Refuses a target that already runs, or its agent, before its run is queued, rather than after the run ahead. A target of ours is
 * looked at when its run has started it: to start it now would disturb the run ahead.
 */
export async function demandStandingFit(
  request: RunRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
): Promise<void> {
  if (factsOf(request.target).startedHere) return;
  const report = await checkOnce(request, fillSecrets(scenario, secrets), secrets, house).catch(unlessBusy);
  if (report !== null) demandFit(maskSecrets(secrets)(report), request);
  await demandReadable(request, secrets, house);
}

/** A host that is being measured is checked when its next run begins. */
function unlessBusy(error: unknown): null {
  if (error instanceof ProblemError && error.problem.code === 'target_busy') return null;
  throw error;
}

/** An agent or exporter that cannot be read is known now. What reads this machine is opened with the run. */
async function demandReadable(request: RunRequest, secrets: SecretValues, house: RunHouse): Promise<void> {
  const signal = startSignal(house);
  const target = await openTarget(askTarget(request, runArms, secrets), house, signal);
  try {
    if (target.agent === null && target.exporter === null) return;
    demandOneHost(target);
    const readings = await openReadings(target, secrets, realApparatus, signal);
    readings.close();
  } finally {
    await target.stop();
  }
}

/** An agent or an exporter reads one host: of sides on two it would miss one. Throws invalid_request. */
function demandOneHost({ listeners, agent }: Pick<OpenTarget<Arm>, 'listeners' | 'agent'>): void {
  const hosts = new Set(
    Object.values(listeners).map(({ permit, address }) => (permit === undefined ? 'this machine' : address)),
  );
  if (hosts.size === 1) return;
  const [reader, field] = agent === null ? ['exporter', 'target.prometheus'] : ['agent', 'target.agent'];
  const message = `An ${reader} reads one host, but the sides are on ${[...hosts].join(' and ')}. Leave it out, or compare servers of one host.`;
  throw problemAt('invalid_request', field, message);
}
