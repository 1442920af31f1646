import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import type { MeasurementState } from '../../../../shared/measurement/measurement.ts';

const states: Partial<Record<ProblemCode, MeasurementState>> = {
  run_cancelled: 'incomplete',
  load_stopped: 'incomplete',
  limit_reached: 'incomplete',
  run_interrupted: 'interrupted',
  generator_lost: 'interrupted',
  target_unreachable: 'refused',
  tls_not_offered: 'refused',
  not_comparable: 'refused',
  scenario_unfit: 'refused',
  too_few_slots: 'refused',
  target_not_permitted: 'refused',
  too_disturbed: 'refused',
};

/** In which state a measurement ends that something has ended, and what is said of it. */
export function endOf(error: unknown): { state: MeasurementState; problem: ProblemError } {
  if (error instanceof ProblemError) {
    return { state: states[error.problem.code] ?? 'failed', problem: error };
  }
  const message = error instanceof Error ? error.message : String(error);
  const detail = `The measurement failed unexpectedly: ${message.replace(/\.$/, '')}.`;
  return { state: 'failed', problem: problem('internal', detail, { cause: error }) };
}
