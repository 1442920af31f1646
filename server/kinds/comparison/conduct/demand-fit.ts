import { type FieldError, problem } from '../../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { schemeOf, sideNames } from '../../../../shared/base/transport.ts';
import {
  type Check,
  type CheckId,
  failedChecks,
  type PreflightReport,
  type TargetCheck,
} from '../../../../shared/target/preflight.ts';

/** Throws target_unreachable, tls_not_offered, scenario_unfit or not_comparable, naming the fields, unless the two sides can be measured. */
export function demandFit(report: TargetCheck): void {
  if (report.ok) return;
  const detail = report.problem ?? 'The preflight checks failed.';
  const { twinProblem } = report;
  const errors =
    twinProblem === null ? fieldErrorsOf(report) : [{ field: 'target.twin', message: twinProblem }];
  throw problem(codeOf(report), { detail, errors });
}

/** Of the connection and what secures it, before anything is asked. */
const ofConnection = new Set<CheckId>(['address', 'connect', 'tls', 'certificate']);
/** What the steps came to. */
const ofSteps = new Set<CheckId>(['status', 'redirect']);

function codeOf({ sides, tlsField }: TargetCheck): ProblemCode {
  const refused = failedChecks(sides).filter(({ check }) => ofConnection.has(check.id));
  if (refused.length > 0) {
    const onlyAsked = tlsField !== null && refused.every(({ check }) => check.id === 'tls');
    return onlyAsked ? 'tls_not_offered' : 'target_unreachable';
  }
  return failedChecks(sides).some(({ check }) => isAlike(check, sides)) ? 'scenario_unfit' : 'not_comparable';
}

/** What is wrong with a step on both sides in the same way is no difference between them. */
function isAlike({ id, message }: Check, sides: PreflightReport['sides']): boolean {
  if (!ofSteps.has(id)) return false;
  return sideNames.every((side) =>
    sides[side].checks.some((check) => check.id === id && check.message === message),
  );
}

function fieldErrorsOf({ sides, tlsField }: TargetCheck): FieldError[] {
  const errors = failedChecks(sides).map(({ side, check }) => ({
    field: isAlike(check, sides)
      ? 'scenario'
      : check.id === 'tls' && tlsField !== null
        ? `tls.${tlsField}`
        : `target.${schemeOf(sides[side].transport)}`,
    message: check.message,
  }));
  return errors.filter(({ field }, index) => errors.findIndex((other) => other.field === field) === index);
}
