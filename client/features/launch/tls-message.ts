import { sideNames } from '../../../shared/base/transport.ts';
import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import type { FieldMessages, LaunchForm } from './form-shape.ts';
import { otherOrigin } from './side-form.ts';

type Report = Pick<PreflightAnswer, 'tlsField' | 'sides'>;

/** What the check of the target says of a version, suite, or group that was chosen and is not offered, at its field. */
export function tlsMessageOf(report: Report | undefined, form: LaunchForm): FieldMessages {
  if (report === undefined || report.tlsField === null) return {};
  const { tlsField, sides } = report;
  for (const side of sideNames.toReversed()) {
    const failed = sides[side].checks.find(({ id, status }) => id === 'tls' && status === 'fail');
    if (failed === undefined) continue;
    const own = `sides.comparison.tls.${tlsField}` as const;
    return { [side === 'comparison' && form[own] !== '' ? own : `tls.${tlsField}`]: failed.message };
  }
  return {};
}

/** Where the form has the certificate that is to be trusted: that of the first side whose certificate is not. */
export function trustField(
  { sides }: Pick<PreflightAnswer, 'sides'>,
  form: LaunchForm,
): 'trust' | 'sides.comparison.target.trust' {
  const isOther = sides.baseline.checks.every(({ id, status }) => id !== 'certificate' || status !== 'fail');
  return isOther && otherOrigin(form) !== null ? 'sides.comparison.target.trust' : 'trust';
}
