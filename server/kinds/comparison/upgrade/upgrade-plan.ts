import { isRecord } from '../../../text/is-record.ts';

/** A plan from before lockstep names its method. */
export function upgradePlan(plan: unknown): unknown {
  return isRecord(plan) && !('method' in plan) ? { method: 'blocks', ...plan } : plan;
}
