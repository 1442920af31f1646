import { lessOne, mapEstimate } from '../../../shared/base/map-estimate.ts';
import type { Arm } from '../../../shared/base/transport.ts';
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
      shift: mapEstimate(paired.ratio, lessOne),
      narrowShift: mapEstimate(narrow.ratio, lessOne),
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

function tooFew({ perBlock }: PairedComparison): string {
  return `Only ${perBlock.length} of the kept blocks have this time; an interval needs ${fewestDifferences}.`;
}

function valuesOf(visits: readonly Visit[], arm: Arm, pass: PassKind, time: VisitTime): number[] {
  return visits.flatMap((visit) => {
    const value = visit.arm === arm ? visit[pass][time] : null;
    return value === null ? [] : [value];
  });
}
