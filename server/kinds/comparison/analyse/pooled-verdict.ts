import { addedTo } from '../../../../shared/base/map-estimate.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { Verdict } from '../../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { pooledHeadline } from '../../../../shared/words/pool-words.ts';
import { namedByChain } from '../../../../shared/words/program-words.ts';
import { verdictSentence } from '../../../method/statistics/verdict-sentence.ts';

type Judged = Pick<
  RunDocument,
  | 'verdict'
  | 'metrics'
  | 'pool'
  | 'sides'
  | 'plan'
  | 'scenario'
  | 'atLoad'
  | 'connectionsPerTransaction'
  | 'cpuOf'
>;

/** The verdict of a run and those that it pools: `HTTPS costs 18 µs more server CPU per request, +43 % at load (5 runs)`. Null where it pools none in its metric. */
export function pooledVerdict(run: Judged): Verdict | null {
  const { verdict, metrics, pool, plan, scenario } = run;
  const headline = pooledHeadline({ verdict, ...(pool === undefined ? {} : { pool }) });
  if (verdict === null || headline === null || headline.metric !== verdict.metric) return null;
  const { ratio, outcome, runs } = headline.pooled;
  const row = metrics.find(({ id }) => id === verdict.metric);
  if (row === undefined || row.baseline === null) return null;
  const delta = addedTo(row.baseline, ratio);
  const pooled = verdictSentence([{ ...row, ratio, delta, outcome }], {
    ...{ ...run, sides: namedByChain(run.sides, run.cpuOf) },
    ...{ tolerance: plan.tolerance, steps: scenario.steps.length },
  });
  return { ...pooled, sentence: `${pooled.sentence} (${printNumber(runs.length, 0)} runs)` };
}
