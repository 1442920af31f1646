import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import type { FieldMessages, LaunchForm } from './form-shape.ts';
import { otherOrigin } from './side-form.ts';

/** What the check of the target says of a version, suite, or group that was chosen and is not offered, at its field. */
export function tlsMessageOf(report: Pick<PreflightAnswer, 'refused'> | undefined): FieldMessages {
  const refused = report === undefined ? [] : [report.refused.baseline, report.refused.comparison];
  return Object.fromEntries(refused.flatMap((each) => (each === null ? [] : [[each.field, each.message]])));
}

/** Where the form has the certificate that is to be trusted: that of the first side whose certificate is not. */
export function trustField(
  { sides }: Pick<PreflightAnswer, 'sides'>,
  form: LaunchForm,
): 'trust' | 'sides.comparison.target.trust' {
  const isOther = sides.baseline.checks.every(({ id, status }) => id !== 'certificate' || status !== 'fail');
  return isOther && otherOrigin(form) !== null ? 'sides.comparison.target.trust' : 'trust';
}
