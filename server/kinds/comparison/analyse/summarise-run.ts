import { bySide, knownSide } from '../../../../shared/base/transport.ts';
import type { Verdict } from '../../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import type { RunSummary } from '../../../../shared/measurement/measurement-summary.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { negotiatedWords } from '../../../../shared/words/negotiated-words.ts';
import { knownSidesOf } from '../../../../shared/words/side-words.ts';
import { pooledVerdict } from './pooled-verdict.ts';

type Line = Pick<RunSummary, 'scenario' | 'target' | 'preset' | 'sides' | 'verdict' | 'pooled' | 'tls'>;

/** What lists show of a run beside its title. */
export function summaryOf(document: RunDocument): Line {
  const { scenario, target, plan, sides, verdict, tls } = document;
  const pooled = pooledVerdict(document);
  const negotiated = negotiatedWords(tls);
  return {
    scenario: scenario.name,
    target: factsOf(target).name,
    preset: plan.preset,
    sides: bySide((side) => knownSide(sides[side])),
    verdict,
    ...(pooled === null ? {} : { pooled }),
    ...(negotiated === null ? {} : { tls: negotiated }),
  };
}

export function summariseAsked(request: RunRequest, scenario: Scenario): Line {
  const { target, preset } = request;
  const verdict: Verdict | null = null;
  return {
    scenario: scenario.name,
    target: factsOf(target).name,
    preset,
    sides: knownSidesOf(request),
    verdict,
  };
}
