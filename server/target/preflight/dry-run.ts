import type { DryRunAnswer, DryRunReport, DryRunStep } from '../../../shared/dry-run.ts';
import { transportNames } from '../../../shared/transport.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareRecording } from './compare-recording.ts';
import type { SideFindings } from './inspect-side.ts';
import { inspectPair, type PreflightOptions, reportOn } from './preflight.ts';
import type { Answer } from './walk-transaction.ts';

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
    sides: [describe(left), describe(right)],
    differences: left === undefined || right === undefined ? [] : compareAnswers(left, right),
    unexplained: [
      ...sayOf(first, left),
      ...sayOf(second, right).filter((said) => !sayOf(first, left).includes(said)),
    ],
  };

  function sayOf({ listener }: SideFindings, answer: Answer | undefined): string[] {
    if (answer === undefined) return [];
    const both = [left, right].every(
      (each) => each !== undefined && compareRecording(each).join() === compareRecording(answer).join(),
    );
    const where = both ? '' : ` over ${transportNames[listener.transport]}`;
    return compareRecording(answer).map((said) => `It ${said}${where}.`);
  }
}

function describe(answer: Answer | undefined): DryRunAnswer | null {
  if (answer === undefined) return null;
  const { step, path, response, headers, variables, fault } = answer;
  const { status, contentType, contentEncoding, bodyBytes, bodySha256, location } = response;
  const wrong =
    status === step.expectStatus ? fault : `the status is ${status} instead of ${step.expectStatus}`;
  return {
    ...{ method: step.method, path, status, contentType, contentEncoding, bodyBytes, bodySha256, location },
    ...{ headers, variables, fault: wrong },
  };
}
