import { bySide, knownSide } from '../../../../shared/base/transport.ts';
import type { Verdict } from '../../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import type { RunSummary } from '../../../../shared/measurement/measurement-summary.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { commonSettings } from '../../../../shared/words/common-settings.ts';
import { negotiatedWords } from '../../../../shared/words/negotiated-words.ts';
import { knownSidesOf } from '../../../../shared/words/side-words.ts';
import { targetNameOf } from '../../../../shared/words/targets-of-sides.ts';
import { foundIn } from './found-in.ts';
import { pooledVerdict } from './pooled-verdict.ts';

type Line = Pick<
  RunSummary,
  | 'scenario'
  | 'target'
  | 'length'
  | 'sides'
  | 'verdict'
  | 'pooled'
  | 'found'
  | 'continues'
  | 'settings'
  | 'tls'
>;

/** What lists show of a run beside its title. */
export function summaryOf(document: RunDocument): Line {
  const { scenario, plan, sides, verdict, tls } = document;
  const pooled = pooledVerdict(document);
  const found = foundIn(document);
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  return {
    scenario: scenario.name,
    target: targetNameOf(askedSidesOf(document)),
    length: plan.length,
    sides: bySide((side) => knownSide(sides[side])),
    verdict,
    ...(pooled === null ? {} : { pooled }),
    ...(found === null ? {} : { found }),
    ...(document.continued === undefined ? {} : { continues: document.continued.id }),
    ...settingsOf({ ...document.asked, kind: 'comparison', target: document.target }),
    ...(negotiated === null ? {} : { tls: negotiated }),
  };
}

export function summariseAsked(request: RunRequest, scenario: Scenario): Line {
  const verdict: Verdict | null = null;
  return {
    scenario: scenario.name,
    target: targetNameOf(request),
    length: request.length,
    sides: knownSidesOf(request),
    verdict,
    ...settingsOf(request),
  };
}

function settingsOf(request: RunRequest): Pick<RunSummary, 'settings'> {
  const settings = commonSettings(request);
  return settings.length === 0 ? {} : { settings };
}
