import { type FieldError, problem } from '../../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { type Arm, type SideName, schemeOf, sideNames } from '../../../../shared/base/transport.ts';
import { slotsInWords, waysOutOfSlots } from '../../../../shared/kinds/comparison/causes.ts';
import type { ConnectionPolicy } from '../../../../shared/kinds/comparison/load-choice.ts';
import type { SlotsFound } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { fieldOfSide } from '../../../../shared/kinds/comparison/side.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import {
  type Check,
  type CheckId,
  failedChecks,
  type PreflightReport,
  type TargetCheck,
} from '../../../../shared/target/preflight.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { countSlots } from '../../../targets/preflight/count-slots.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** Throws target_unreachable, tls_not_offered, scenario_unfit or not_comparable, naming the fields, unless the two sides can be measured. */
export function demandFit(report: TargetCheck, request: Pick<RunRequest, 'sides'>): void {
  if (report.ok) return;
  const detail = report.problem ?? 'The preflight checks failed.';
  const { twinProblem } = report;
  const errors =
    twinProblem === null ? fieldErrorsOf(report, request) : [{ field: 'target.twin', message: twinProblem }];
  throw problem(codeOf(report), { detail, errors });
}

/** Connections that stay open, which a server with a fixed number of workers may not have enough of. */
const keeping: readonly ConnectionPolicy[] = ['keep-alive', 'requests-per-connection'];

type Fitting = Pick<RunUnderWay, 'scenario' | 'request' | 'plan' | 'labels' | 'note'>;

/** Throws too_few_slots unless the target answers as many connections at a time as the warm-up is going to hold. */
export async function demandSlots(run: Fitting, target: OpenTarget<Arm>, signal: AbortSignal): Promise<void> {
  const slots = await findSlots(run.plan.users ?? usualUsers, run, target, signal);
  if (slots === null) return;
  await run.note({ slots });
  throw problem('too_few_slots', `${slotsInWords(slots, run.labels)} ${waysOutOfSlots(slots)}`);
}

/** What answers too few connections for this number of users; null where nothing does, or connections do not stay open. */
export async function findSlots(
  users: number,
  { scenario, request: { tls }, plan: { arms, connectionPolicy } }: Omit<Fitting, 'labels' | 'note'>,
  { ours, listeners }: OpenTarget<Arm>,
  signal: AbortSignal,
): Promise<SlotsFound | null> {
  if (ours || !keeping.includes(connectionPolicy)) return null;
  const served = await countSlots({ listeners, connections: users, scenario, tls, signal });
  if (served === null) return null;
  const armsOf = (side: SideName) => arms.filter(({ name, twinOf = name }) => twinOf === side);
  const servedOf = (side: SideName) => sumOf(armsOf(side).map(({ name }) => served[name]));
  const sides = sideNames.filter((side) => servedOf(side) < users * armsOf(side).length);
  const perUser = sumOf(sides.map((side) => armsOf(side).length));
  const inAll = sumOf(sides.map(servedOf));
  return { sides, connections: users * perUser, served: inAll, users: Math.floor(inAll / perUser) };
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
