import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import type { Length } from '../../../../shared/kinds/comparison/load-names.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { mayCall } from '../../../api/identity.ts';
import { starting } from '../../../api/late-endpoints.ts';
import { type Step, StepButtons } from '../../../components/step-buttons.tsx';
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

export function nextSteps(document: ShownRun): Step[] {
  const { id, plan, problem } = document;
  const to = `/?again=${id}`;
  const request = mayCall(starting) ? againRequest(document) : null;
  const again = request === null ? { title: 'Run again', to } : { title: 'Run again', request };
  const edit = request === null ? [] : [{ title: 'Change settings', to }];
  const further = longer[plan.length];
  const runLonger = further === null ? [] : [longerStep(further, request, to)];
  const scenario = scenarioStep(document);
  if (problem !== null && ofTarget.includes(problem.code)) {
    const fix = { title: fixTitle(document), to };
    return problem.code === 'scenario_unfit' ? [...scenario, fix] : [fix, again, ...scenario];
  }
  const unclear = document.verdict?.outcome === 'inconclusive';
  return unclear ? [...runLonger, again, ...edit, ...scenario] : [again, ...runLonger, ...edit, ...scenario];
}

type Longer = { length: Length; time: string };

const longer: Record<Length, Longer | null> = {
  first: { length: 'quote', time: '4 min at most' },
  quote: { length: 'fine', time: '15 min at most' },
  fine: null,
};

/** Starts at once, unless something has to be entered again. */
function longerStep({ length, time }: Longer, request: AgainRequest | null, to: string): Step {
  const title = `Run longer, ${time}`;
  return request === null
    ? { title, to: `${to}&length=${length}` }
    : { title, request: { ...request, length, precision: null, atMostS: null } };
}

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
