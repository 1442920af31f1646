import type { Arm } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { isPrimary, turnOf, visitTolerance } from '../../../shared/kinds/visits/visit-judgement.ts';
import {
  type PassKind,
  passKinds,
  type Visit,
  type VisitRow,
  type VisitsBlock,
  type VisitTime,
  visitTimes,
} from '../../../shared/kinds/visits/visits.ts';
import { comparePaired, type Pair, type PairedComparison } from '../../method/statistics/compare-paired.ts';
import { decideOutcomes } from '../../method/statistics/decide-outcomes.ts';
import { medianInterval } from '../../method/statistics/median-interval.ts';
import { fewestDifferences } from '../../method/statistics/wilcoxon.ts';

/** Blocks → one row a time and pass, by the statistics of a run. Dropped blocks take no part. */
export function analyseVisits(blocks: readonly VisitsBlock[]): VisitRow[] {
  const kept = blocks.filter(({ dropped }) => dropped === null);
  const rows = passKinds.flatMap((pass) => visitTimes.map((time) => rowOf(kept, pass, time)));
  const inTurn = rows.toSorted((a, b) => turnOf(a) - turnOf(b));
  const decisions = decideOutcomes(
    inTurn.map(({ pass, time, paired, narrow, refusals }) => ({
      metric: { better: 'lower', primary: isPrimary({ pass, time }) },
      shift: lessOne(paired.ratio),
      narrowShift: lessOne(narrow.ratio),
      pValue: paired.pValue,
      tolerance: visitTolerance,
      refusals: refusals.length > 0 || paired.ratio !== null ? refusals : [tooFew(paired)],
    })),
  );
  const decided = new Map(inTurn.map((row, index) => [row, decisions[index]]));
  return rows.map((row) => ({
    ...{ pass: row.pass, time: row.time, baseline: row.baseline, comparison: row.comparison },
    ...{ delta: row.paired.delta, ratio: row.paired.ratio, twinRatio: row.twin.ratio },
    pairs: row.paired.ratio === null ? [] : row.paired.perBlock,
    outcome: decided.get(row)?.outcome ?? 'refused',
    reasons: decided.get(row)?.reasons ?? [],
  }));
}

function rowOf(kept: readonly VisitsBlock[], pass: PassKind, time: VisitTime) {
  const read = (arm: Arm, { visits }: VisitsBlock) => valuesOf(visits, arm, pass, time);
  const complete = kept.filter((block) => block.visits.every((visit) => visit[pass][time] !== null));
  const pairs = (other: Arm): Pair[] =>
    complete.map((block) => ({ a: read('baseline', block), b: read(other, block) }));
  const medianOf = (arm: Arm) => medianInterval(complete.flatMap((block) => read(arm, block)));
  const refusals =
    kept.length > 0 && complete.length === 0
      ? ['A document of the journey painted nothing, so this time does not exist.']
      : [];
  return {
    ...{ pass, time, refusals },
    baseline: medianOf('baseline'),
    comparison: medianOf('comparison'),
    paired: comparePaired(pairs('comparison'), 'ratio'),
    narrow: comparePaired(pairs('comparison'), 'ratio', 0.9),
    twin: comparePaired(pairs('twin'), 'ratio'),
  };
}

function lessOne(ratio: Estimate | null): Estimate | null {
  return ratio === null ? null : { center: ratio.center - 1, lo: ratio.lo - 1, hi: ratio.hi - 1 };
}

function tooFew({ perBlock }: PairedComparison): string {
  return `Only ${perBlock.length} of the kept blocks have this time; an interval needs ${fewestDifferences}.`;
}

function valuesOf(visits: readonly Visit[], arm: Arm, pass: PassKind, time: VisitTime): number[] {
  return visits.flatMap((visit) => {
    const value = visit.arm === arm ? visit[pass][time] : null;
    return value === null ? [] : [value];
  });
}
