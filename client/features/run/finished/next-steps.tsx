import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import type { Preset } from '../../../../shared/kinds/comparison/load-choice.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { ButtonRow } from '../../../components/button-row.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { CompareWith } from './compare-with.tsx';
import classes from './finished-page.module.css';

/** Where to go from here, however the run ended; the likeliest step first. */
export function NextSteps({ document }: { document: ShownRun }) {
  const [first, ...others] = nextSteps(document);
  return (
    <div className={classes.next}>
      <ButtonRow>
        {first === undefined ? null : (
          <LinkButton to={first.to} variant="filled">
            {first.title}
          </LinkButton>
        )}
        {others.map(({ to, title }) => (
          <LinkButton key={title} to={to}>
            {title}
          </LinkButton>
        ))}
        {document.state === 'finished' && document.verdict !== null ? (
          <CompareWith document={document} />
        ) : null}
      </ButtonRow>
    </div>
  );
}

type Step = { title: string; to: string };

export function nextSteps(document: ShownRun): Step[] {
  const { id, plan, problem } = document;
  const again = { title: 'Run again', to: `/?again=${id}` };
  const preset = longer[plan.preset];
  const runLonger = preset === null ? [] : [{ title: 'Run longer', to: `/?again=${id}&preset=${preset}` }];
  const scenario = scenarioStep(document);
  if (problem !== null && ofTarget.includes(problem.code)) {
    const fix = { title: fixTitle(document), to: again.to };
    return problem.code === 'scenario_unfit' ? [...scenario, fix] : [fix, again, ...scenario];
  }
  const unclear = document.verdict?.outcome === 'inconclusive';
  return unclear ? [...runLonger, again, ...scenario] : [again, ...runLonger, ...scenario];
}

const longer: Record<Preset, Preset | null> = { quick: 'standard', standard: 'thorough', thorough: null };

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
