import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { type Arm, type SideName, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import { fieldOfSide } from '../../../shared/kinds/comparison/side.ts';
import type { DryRunReport } from '../../../shared/scenario/dry-run.ts';
import type { Scenario, SecretValues } from '../../../shared/scenario/scenario.ts';
import type { PreflightAnswer, TargetCheck } from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { askTarget } from '../ask-target.ts';
import { checkInTurn } from '../host-turn.ts';
import { openTarget, type RunHouse } from '../open-target.ts';
import { startSignal } from '../start-limit.ts';
import { checkTarget } from './check-target.ts';
import { dryRun } from './dry-run.ts';
import type { PreflightOptions } from './preflight.ts';
import { proposeTwin } from './propose-twin.ts';

type Options = Omit<PreflightOptions, 'listeners'> & {
  fieldOf(side: SideName, field: string): string;
};

export type CheckRequest = Omit<PreflightRequest, 'secrets' | 'scenario'>;

/** The checks alone, on a target that is opened for them. */
export async function checkOnce(
  request: CheckRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
): Promise<TargetCheck> {
  return onTarget(request, { scenario, secrets }, house, (listeners, options) =>
    checkTarget(request.target, listeners, options),
  );
}

/** The checks, and a twin where the target has one that it does not name. */
export async function answerOnce(
  request: CheckRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
): Promise<PreflightAnswer> {
  return onTarget(request, { scenario, secrets }, house, async (listeners, options) => {
    const check = await checkTarget(request.target, listeners, options);
    const twinProposal = check.ok ? await proposeTwin(request.target, listeners, check, options) : null;
    return { ...check, twinProposal };
  });
}

/** The checks, and what each step was answered on both sides. */
export async function dryRunOnce(
  request: CheckRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
  closing: AbortSignal,
): Promise<DryRunReport> {
  const look = ({ baseline, comparison }: Record<Arm, Listener>, options: Options) =>
    dryRun({ ...options, listeners: { baseline, comparison } });
  return onTarget(request, { scenario, secrets }, house, look, closing);
}

async function onTarget<Report>(
  request: CheckRequest,
  { scenario, secrets }: { scenario: Scenario; secrets: SecretValues },
  house: RunHouse,
  look: (listeners: Record<Arm, Listener>, options: Options) => Promise<Report>,
  closing?: AbortSignal,
): Promise<Report> {
  const signal = startSignal(house, closing);
  const target = await openTarget(askTarget(request, twoSidesAndTwin, secrets), house, signal);
  try {
    const { listeners } = target;
    const { tls, connectionPolicy } = request;
    const fieldOf = (side: SideName, field: string) => fieldOfSide(request, side, field);
    const options = { scenario, tls, connectionPolicy, signal, fieldOf };
    return await checkInTurn(Object.values(listeners), house, signal, () => look(listeners, options));
  } finally {
    await target.stop();
  }
}
