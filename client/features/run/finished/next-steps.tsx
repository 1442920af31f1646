import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { printShare } from '../../../../shared/base/quantity.ts';
import {
  type Length,
  lengthNames,
  lengths,
  longestPauseMs,
} from '../../../../shared/kinds/comparison/load-names.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { mayCall } from '../../../api/identity.ts';
import { starting } from '../../../api/late-endpoints.ts';
import { type Step, StepButtons } from '../../../components/step-buttons.tsx';
import { printDuration } from '../../../format/duration.ts';
import { type AgainRequest, againRequest } from './again-request.ts';
import { CompareWith } from './compare-with.tsx';

/** Where to go from here, however the run ended; the likeliest step first. */
export function NextSteps({ document }: { document: ShownRun }) {
  return (
    <StepButtons steps={nextSteps(document)}>
      {document.state === 'finished' && document.verdict !== null && document.example !== true ? (
        <CompareWith document={document} />
      ) : null}
    </StepButtons>
  );
}

export function nextSteps(document: ShownRun, nowMs = Date.now()): Step[] {
  const { id, plan, problem } = document;
  const to = `/?again=${id}`;
  const request = mayCall(starting) ? againRequest(document) : null;
  const again = request === null ? { title: 'Run again', to } : { title: 'Run again', request };
  const edit = request === null ? [] : [{ title: 'Change settings', to }];
  const scenario = scenarioStep(document);
  if (problem !== null && ofTarget.includes(problem.code)) {
    const fix = { title: fixTitle(document), to };
    return problem.code === 'scenario_unfit' ? [...scenario, fix] : [fix, again, ...scenario];
  }
  const further = lengthNames[lengthNames.indexOf(plan.length) + 1];
  const runLonger = further === undefined ? [] : [longerStep(further, request, to)];
  const unclear = document.verdict?.outcome === 'inconclusive';
  if (!unclear) return [again, ...runLonger, ...edit, ...scenario];
  const goOn = request === null ? null : continueStep(document, nowMs);
  return [...(goOn === null ? runLonger : [goOn]), again, ...edit, ...scenario];
}

/** Starts at once, unless something has to be entered again. */
function longerStep(length: Length, request: AgainRequest | null, to: string): Step {
  const title = `Run longer, at most ${printDuration(lengths[length].atMostS)}`;
  return request === null
    ? { title, to: `${to}&length=${length}` }
    : { title, request: { ...request, length, precision: null, atMostS: null } };
}

/** Null where the run can no longer be continued, or where going on narrows little, because runs differ. */
function continueStep(run: ShownRun, nowMs: number): Step | null {
  const { id, plan, startedAt, endedAt, verdict, metrics } = run;
  const row = metrics.find((each) => each.id === verdict?.metric);
  if (row?.precision === undefined || row.ratio === null || startedAt === null || endedAt === null)
    return null;
  if (nowMs - endedAt > longestPauseMs) return null;
  const seconds = plan.atMostS ?? lengths[plan.length].continuesS;
  const { withinError, betweenRuns } = row.precision;
  const share = (endedAt - startedAt) / (endedAt - startedAt + 1000 * seconds);
  const error = (within: number) => Math.sqrt(within ** 2 + (betweenRuns?.variance ?? 0));
  const narrows = (to99 * error(withinError * Math.sqrt(share))) / error(withinError);
  if (narrows > worthwhile) return null;
  const halfWidth = ((row.ratio.hi - row.ratio.lo) / 2) * narrows;
  return {
    title: `Run ${printDuration(seconds)} longer: about ±${printShare(halfWidth)}`,
    request: { kind: 'comparison', continues: id },
  };
}

/** Share of the half-width that is left, above which it is not worth the time. */
const worthwhile = 0.9;

/** An interval at 99 % in widths of one at 95 %, of the normal distribution. */
const to99 = 2.576 / 1.96;

/** Nothing that another run of the same would change. */
const ofTarget: readonly ProblemCode[] = [
  'target_unreachable',
  'tls_not_offered',
  'target_not_permitted',
  'scenario_unfit',
  'not_comparable',
  'target_died',
  'target_errors',
  'rate_too_high',
  'too_many_connections',
];

function fixTitle({ target }: ShownRun): string {
  return factsOf(target).startedHere ? 'Change the settings' : 'Fix the target';
}

function scenarioStep({ revisionId }: ShownRun): Step[] {
  return revisionId === null ? [] : [{ title: 'Open the scenario', to: `/s/${revisionId}` }];
}
