import type { PreflightRequest } from '../../../shared/api.ts';
import type { DryRunReport } from '../../../shared/dry-run.ts';
import type { PreflightReport } from '../../../shared/preflight.ts';
import type { Scenario } from '../../../shared/scenario.ts';
import { openTarget, type RunHouse } from '../open-target.ts';
import { startLimit } from '../start-limit.ts';
import { dryRun } from './dry-run.ts';
import { type PreflightOptions, preflight } from './preflight.ts';

export type CheckRequest = Omit<PreflightRequest, 'secrets' | 'scenario'>;

/** The checks alone, on a target that is opened for them. */
export async function checkOnce(
  request: CheckRequest,
  scenario: Scenario,
  house: RunHouse,
): Promise<PreflightReport> {
  return onTarget(request, scenario, house, preflight);
}

/** The checks, and what each step was answered on both sides. */
export async function dryRunOnce(
  request: CheckRequest,
  scenario: Scenario,
  house: RunHouse,
  closing: AbortSignal,
): Promise<DryRunReport> {
  return onTarget(request, scenario, house, dryRun, closing);
}

async function onTarget<Report>(
  request: CheckRequest,
  scenario: Scenario,
  house: RunHouse,
  look: (options: PreflightOptions) => Promise<Report>,
  closing?: AbortSignal,
): Promise<Report> {
  const patience = startLimit();
  const signal = closing === undefined ? patience : AbortSignal.any([patience, closing]);
  const target = await openTarget(request, house, signal);
  try {
    return await look({
      listeners: { baseline: target.listeners.baseline, comparison: target.listeners.comparison },
      scenario,
      tls: request.tls,
      connectionPolicy: request.connectionPolicy,
      signal,
    });
  } finally {
    await target.stop();
  }
}
