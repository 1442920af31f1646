import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import type { FieldMessages } from './form-shape.ts';

/** What the check of the target says of a version, suite, or group that was chosen and is not offered, at its field. */
export function tlsMessageOf(report: Pick<PreflightAnswer, 'tlsField' | 'sides'> | undefined): FieldMessages {
  if (report === undefined || report.tlsField === null) return {};
  const { baseline, comparison } = report.sides;
  const checks = [...comparison.checks, ...baseline.checks];
  const message = checks.find(({ id, status }) => id === 'tls' && status === 'fail')?.message;
  return message === undefined ? {} : { [`tls.${report.tlsField}`]: message };
}
