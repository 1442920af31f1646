import { type FieldError, problem } from '../../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { schemeOf, sideNames } from '../../../../shared/base/transport.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { fieldOfSide } from '../../../../shared/kinds/comparison/side.ts';
import {
  type Check,
  type CheckId,
  failedChecks,
  type PreflightReport,
  type TargetCheck,
} from '../../../../shared/target/preflight.ts';

/** Throws target_unreachable, tls_not_offered, scenario_unfit or not_comparable, naming the fields, unless the two sides can be measured. */
export function demandFit(report: TargetCheck, request: Pick<RunRequest, 'sides'>): void {
  if (report.ok) return;
  const detail = report.problem ?? 'The preflight checks failed.';
  const { twinProblem } = report;
  const errors =
    twinProblem === null ? fieldErrorsOf(report, request) : [{ field: 'target.twin', message: twinProblem }];
  throw problem(codeOf(report), { detail, errors });
}

/** Of the connection and what secures it, before anything is asked. */
const ofConnection = new Set<CheckId>(['address', 'connect', 'tls', 'certificate']);
/** What the steps came to. */
const ofSteps = new Set<CheckId>(['status', 'redirect']);

function codeOf({ sides, refused }: TargetCheck): ProblemCode {
  const failed = failedChecks(sides);
  const asked = failed.filter((each) => isRefused(each, refused));
  const broken = failed.filter((each) => ofConnection.has(each.check.id) && !asked.includes(each));
  if (broken.length > 0) return 'target_unreachable';
  if (asked.length > 0) return 'tls_not_offered';
  return failedChecks(sides).some(({ check }) => isAlike(check, sides)) ? 'scenario_unfit' : 'not_comparable';
}

/** What is wrong with a step on both sides in the same way is no difference between them. */
function isAlike({ id, message }: Check, sides: PreflightReport['sides']): boolean {
  if (!ofSteps.has(id)) return false;
  return sideNames.every((side) =>
    sides[side].checks.some((check) => check.id === id && check.message === message),
  );
}

type Failed = ReturnType<typeof failedChecks>[number];

function isRefused({ side, check }: Failed, refused: TargetCheck['refused']): boolean {
  return refused[side]?.message === check.message;
}

function fieldErrorsOf({ sides, refused }: TargetCheck, request: Pick<RunRequest, 'sides'>): FieldError[] {
  const errors = failedChecks(sides).map(({ side, check }): FieldError => {
    const own = refused[side];
    if (own !== null && isRefused({ side, check }, refused)) return own;
    const target = fieldOfSide(request, side, `target.${schemeOf(sides[side].transport)}`);
    return { field: isAlike(check, sides) ? 'scenario' : target, message: check.message };
  });
  return errors.filter(({ field }, index) => errors.findIndex((other) => other.field === field) === index);
}
