import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type Arm, type SideName, transportFacts, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import { fieldOfSide } from '../../../shared/kinds/comparison/run-request.ts';
import type { Scenario, SecretValues } from '../../../shared/scenario/scenario.ts';
import type { Difference, DryRunAnswer, DryRunReport, DryRunStep } from '../../../shared/target/dry-run.ts';
import type { TargetCheck } from '../../../shared/target/preflight.ts';
import type { Listener, Target } from '../../../shared/target/target.ts';
import { originOf, resolveReference } from '../../base/addresses/origin.ts';
import {
  compareAnswers,
  crossingOf,
  lostCookie,
  pathOfLocation,
  shareOfDifference,
  takesLocation,
} from '../preflight/compared-answers.ts';
import type { SideFindings } from '../preflight/inspect-side.ts';
import type { Answer } from '../preflight/inspection.ts';
import {
  inspectPair,
  inspectToJudge,
  type PreflightOptions,
  preflight,
  reportOn,
} from '../preflight/preflight.ts';
import { checkInTurn, startSignal } from '../preflight/resolve-origins.ts';
import { askTarget, openTarget, type RunHouse } from './open-target.ts';

type Options = Omit<PreflightOptions, 'listeners'> & {
  fieldOf(side: SideName, field: string): string;
};

export type CheckRequest = Omit<PreflightRequest, 'secrets' | 'scenario'>;

/** The checks alone, on a target that is opened for them. */
export async function checkOnce(
  request: CheckRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
): Promise<TargetCheck> {
  return onTarget(request, { scenario, secrets }, house, (listeners, options) =>
    checkTarget(request.target, listeners, options),
  );
}

/** The checks, and what each step was answered on both sides. */
export async function dryRunOnce(
  request: CheckRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
  closing: AbortSignal,
): Promise<DryRunReport> {
  const look = ({ baseline, comparison }: Record<Arm, Listener>, options: Options) =>
    dryRun({ ...options, listeners: { baseline, comparison } });
  return onTarget(request, { scenario, secrets }, house, look, closing);
}

async function onTarget<Report>(
  request: CheckRequest,
  { scenario, secrets }: { scenario: Scenario; secrets: SecretValues },
  house: RunHouse,
  look: (listeners: Record<Arm, Listener>, options: Options) => Promise<Report>,
  closing?: AbortSignal,
): Promise<Report> {
  const signal = startSignal(house, closing);
  const target = await openTarget(askTarget(request, twoSidesAndTwin, secrets), house, signal);
  try {
    const { listeners } = target;
    const { tls, connectionPolicy } = request;
    const fieldOf = (side: SideName, field: string) => fieldOfSide(request, side, field);
    const options = { scenario, tls, connectionPolicy, signal, fieldOf };
    return await checkInTurn(Object.values(listeners), house, signal, () => look(listeners, options));
  } finally {
    await target.stop();
  }
}

/** The checks of a run, and each step's answers side by side. As short as a preflight; throws only the signal's reason. */
export async function dryRun(options: PreflightOptions): Promise<DryRunReport> {
  const { first, second, inspection } = await inspectPair(options);
  return {
    preflight: reportOn(first, second, inspection),
    steps: inspection.scenario.steps.map(({ name }, index) => ({ name, ...lookAt(first, second, index) })),
  };
}

function lookAt(first: SideFindings, second: SideFindings, index: number): Omit<DryRunStep, 'name'> {
  const [left, right] = [first.answers[index], second.answers[index]];
  return {
    sides: { baseline: describeAnswer(left), comparison: describeAnswer(right) },
    differences: [
      ...offencesOf(left, right, first, second),
      ...offencesOf(right, left, second, first),
      ...(left === undefined || right === undefined ? [] : compareAnswers(left, right)),
    ],
    unexplained: unexplained(left, right, first, second),
  };
}

/** Faults of one side that rule out a comparison. */
function offencesOf(
  answer: Answer | undefined,
  theirs: Answer | undefined,
  side: SideFindings,
  other: SideFindings,
): Difference[] {
  if (answer === undefined) return [];
  const on = apart(side, other, null);
  const offences: Difference[] = [];
  const crossing = crossingOf(answer, side, other);
  if (crossing !== null) {
    offences.push({ what: 'scheme', grave: crossing.grave, message: `The ${on} side ${crossing.message}.` });
  }
  const lost = lostCookie(answer, theirs, side, other);
  if (lost !== undefined) {
    offences.push({
      what: 'cookies',
      grave: true,
      message: `The cookie “${lost}” is Secure, so it is lost over ${transportFacts[side.listener.transport].name}.`,
    });
  }
  const { location } = answer.response;
  const to = location === null ? null : resolveReference(location, `${answer.origin}${answer.path}`);
  if (to !== null && to.origin !== answer.origin) {
    offences.push({ what: 'redirect', grave: true, message: `The ${on} side redirects to ${to.origin}.` });
  }
  return offences;
}

/** Said once when both sides have it alike. */
function unexplained(
  left: Answer | undefined,
  right: Answer | undefined,
  first: SideFindings,
  second: SideFindings,
): string[] {
  const ofLeft = left === undefined ? [] : compareRecording(left);
  const ofRight = right === undefined ? [] : compareRecording(right);
  const common = ofLeft.filter((said) => ofRight.includes(said));
  const only = (said: string[], whose: string) =>
    said.filter((each) => !common.includes(each)).map((each) => `It ${each} ${whose}.`);
  return [
    ...common.map((said) => `It ${said}.`),
    ...only(ofLeft, apart(first, second, 'over')),
    ...only(ofRight, apart(second, first, 'over')),
  ];
}

/** Transport of a side, or its address if both use the same. */
function apart({ listener }: SideFindings, other: SideFindings, over: 'over' | null): string {
  const alike = listener.transport === other.listener.transport;
  const name = alike ? originOf(listener) : transportFacts[listener.transport].name;
  if (over === null) return name;
  return alike ? `at ${name}` : `over ${name}`;
}

function describeAnswer(answer: Answer | undefined): DryRunAnswer | null {
  if (answer === undefined) return null;
  const { step, path, response, headers, variables, problem } = answer;
  const { status, contentType, contentEncoding, bodyBytes, bodySha256, location } = response;
  const wrong =
    status === step.expectStatus ? problem : `the status is ${status} instead of ${step.expectStatus}`;
  return {
    ...{ method: step.method, path, status, contentType, contentEncoding, bodyBytes, bodySha256, location },
    ...{ headers, variables, problem: wrong },
  };
}

/** Pages of which so much changes from one visit to the next are still the same page. */
const sameShare = 0.05;

/** Differences of an answer from the recording that no rule of the scenario explains; empty without a recording. */
export function compareRecording(answer: Answer): string[] {
  const { step, response, textLength } = answer;
  const { recorded } = step;
  if (recorded === undefined) return [];
  const said: string[] = [];
  if (response.status !== recorded.status) {
    said.push(`answers ${response.status} instead of the recorded ${recorded.status}`);
  }
  if (plainType(response.contentType) !== plainType(recorded.contentType)) {
    said.push(`is “${response.contentType}” instead of the recorded “${recorded.contentType}”`);
  }
  const to = pathOfLocation(answer);
  if (to !== recorded.location && !takesLocation(step)) {
    said.push(redirectInWords(to, recorded.location));
  }
  const { bodyLength } = recorded;
  if (bodyLength !== null && textLength !== null && shareOfDifference(bodyLength, textLength) > sameShare) {
    said.push(
      `has a body of ${printNumber(textLength, 0)} characters instead of the recorded ${printNumber(bodyLength, 0)}`,
    );
  }
  return said;
}

function plainType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function redirectInWords(to: string | null, recorded: string | null): string {
  if (to === null) return `does not redirect to the recorded ${recorded}`;
  return recorded === null
    ? `redirects to ${to}, which the recording did not`
    : `redirects to ${to} instead of the recorded ${recorded}`;
}

type TargetOptions = Omit<PreflightOptions, 'listeners'> & {
  /** The request's field that applies to a side; if omitted, sides have no fields of their own. */
  fieldOf?: ((side: SideName, field: string) => string) | undefined;
};

/** The preflight of both sides, and of the baseline with the twin where the target names one. */
export async function checkTarget(
  target: Target,
  listeners: Record<Arm, Listener>,
  { fieldOf = (_, field) => field, ...options }: TargetOptions,
): Promise<TargetCheck> {
  const { baseline, comparison, twin } = listeners;
  const { first, second, inspection } = await inspectToJudge({
    ...options,
    listeners: { baseline, comparison },
  });
  const report = reportOn(first, second, inspection);
  const waysOut = [first, second].map(({ problem }) => problem?.wayOut ?? {});
  const refusedOf = (side: SideName, { problem }: SideFindings) => {
    const field = problem?.wayOut.field;
    return problem === null || field === undefined
      ? null
      : { field: fieldOf(side, field), message: problem.message };
  };
  const twinProblem =
    report.ok && target.kind === 'origins' && target.twin !== undefined
      ? await problemOfTwin(baseline, twin, options)
      : null;
  return {
    ...report,
    ok: report.ok && twinProblem === null,
    problem: report.problem ?? twinProblem,
    untrusted: waysOut.find(({ untrusted }) => untrusted !== undefined)?.untrusted ?? null,
    refused: { baseline: refusedOf('baseline', first), comparison: refusedOf('comparison', second) },
    otherVersion: waysOut.find(({ otherVersion }) => otherVersion !== undefined)?.otherVersion ?? null,
    twinProblem,
  };
}

async function problemOfTwin(
  baseline: Listener,
  twin: Listener,
  options: Omit<PreflightOptions, 'listeners'>,
): Promise<string | null> {
  const { problem } = await preflight({ ...options, listeners: { baseline, comparison: twin } });
  return problem === null ? null : `The control differs from the first side: ${problem}`;
}
