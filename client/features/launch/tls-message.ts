import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import type { FieldMessages } from './form-shape.ts';

/** What the check of the target says of a version, suite, or group that was chosen and is not offered, at its field. */
export function tlsMessageOf(report: Pick<PreflightAnswer, 'refused'> | undefined): FieldMessages {
  const refused = report === undefined ? [] : [report.refused.baseline, report.refused.comparison];
  return Object.fromEntries(refused.flatMap((each) => (each === null ? [] : [[each.field, each.message]])));
}
