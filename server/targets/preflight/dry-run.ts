import { transportFacts } from '../../../shared/base/transport.ts';
import type { Difference, DryRunAnswer, DryRunReport, DryRunStep } from '../../../shared/scenario/dry-run.ts';
import { originOf, resolveReference } from '../../base/addresses/origin.ts';
import type { Answer } from './answer.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareRecording } from './compare-recording.ts';
import type { SideFindings } from './inspect-side.ts';
import { lostCookie } from './judge-cookies.ts';
import { crossingOf } from './judge-scheme.ts';
import { inspectPair, type PreflightOptions, reportOn } from './preflight.ts';

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
    sides: { baseline: describe(left), comparison: describe(right) },
    differences: [
      ...offencesOf(left, right, first, second),
      ...offencesOf(right, left, second, first),
      ...(left === undefined || right === undefined ? [] : compareAnswers(left, right)),
    ],
    unexplained: unexplained(left, right, first, second),
  };
}

/** What makes one side by itself no half of a pair. */
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

/** What a side speaks, or its address where both speak the same. */
function apart({ listener }: SideFindings, other: SideFindings, over: 'over' | null): string {
  const alike = listener.transport === other.listener.transport;
  const name = alike ? originOf(listener) : transportFacts[listener.transport].name;
  if (over === null) return name;
  return alike ? `at ${name}` : `over ${name}`;
}

function describe(answer: Answer | undefined): DryRunAnswer | null {
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
