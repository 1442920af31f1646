import type { PreflightRequest } from '../../shared/api.ts';
import type { PreflightReport } from '../../shared/preflight.ts';
import type { Scenario } from '../../shared/scenario.ts';
import { preflight } from '../target/preflight/preflight.ts';
import { openTarget, type RunHouse } from './open-target.ts';

/** For starting the target as well; preflight has its own, shorter limit and reports what it found by then. */
const timeoutMs = 30_000;

/** The checks alone, on a target that is opened for them. */
export async function checkOnce(
  request: Omit<PreflightRequest, 'secrets'>,
  scenario: Scenario,
  house: RunHouse,
): Promise<PreflightReport> {
  const signal = AbortSignal.timeout(timeoutMs);
  const target = await openTarget(request, house, signal);
  try {
    return await preflight({
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
