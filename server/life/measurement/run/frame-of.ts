import type { Environment } from '../../../../shared/base/environment.ts';
import type { Frame } from '../../../kinds/kind.ts';
import type { MeasurementRecord } from '../../database/measurements.ts';

/** @param environment for one that has not begun */
export function frameOf(
  { id, state, createdAt, startedAt, endedAt, problem, environment: own }: MeasurementRecord,
  request: unknown,
  environment: Environment,
): Frame<unknown> {
  return { id, request, state, createdAt, startedAt, endedAt, problem, environment: own ?? environment };
}
