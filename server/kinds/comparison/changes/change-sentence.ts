import { printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import { shiftOf } from '../../../../shared/base/shift.ts';
import { isSameSides, type KnownSide, transportFacts } from '../../../../shared/base/transport.ts';
import { type PrimaryMetricId, primaryMetrics } from '../../../../shared/kinds/comparison/metric.ts';
import type {
  ComparedRun,
  MetricChange,
  RunChanges,
} from '../../../../shared/kinds/comparison/result-changes.ts';
import { changeShiftOf } from '../../../../shared/words/change-words.ts';
import { boundInWords, subjectOf } from '../../../method/statistics/verdict-sentence.ts';

type Conclusion = Pick<RunChanges, 'sentence' | 'evidence' | 'outcome' | 'metric'>;

/**
 * The comparison in one short sentence and one line, from the first metric of CPU per transaction, throughput and median
 * latency that both runs know.
 * @param tolerance what is too little to matter, as a share
 */
export function concludeChanges(
  rows: readonly MetricChange[],
  from: ComparedRun,
  to: ComparedRun,
  tolerance: number,
): Conclusion {
  const row = primaryMetrics
    .flatMap((id) => rows.filter((each): each is HeadlineRow => each.id === id))
    .find(({ outcome, ratio }) => outcome !== 'unknown' && ratio !== null);
  if (row === undefined) {
    const sentence = 'No verdict: no primary metric can be compared';
    return { sentence, evidence: null, outcome: 'unknown', metric: null };
  }
  return {
    sentence: sentenceOf(row, effects[row.id].name(subjectIn(from, to)), tolerance),
    evidence: evidenceOf(row, from, to),
    outcome: row.outcome,
    metric: row.id,
  };
}

type HeadlineRow = MetricChange & { id: PrimaryMetricId };

/** What TLS does to a metric, and how that is said to change. */
const effects: Record<HeadlineRow['id'], { name(subject: string): string; up: string; down: string }> = {
  cpu_at_load: {
    name: (subject) => `server CPU overhead of ${subject}`,
    up: 'rose',
    down: 'fell',
  },
  throughput: {
    name: (subject) => `effect of ${subject} on throughput`,
    up: 'went up',
    down: 'went down',
  },
  latency_p50: {
    name: (subject) => `median latency overhead of ${subject}`,
    up: 'rose',
    down: 'fell',
  },
};

function subjectIn(from: ComparedRun, to: ComparedRun): string {
  return isSameSides(from.sides, to.sides) ? subjectOf(to.sides) : 'the second side';
}

function sentenceOf(row: HeadlineRow, effect: string, tolerance: number): string {
  const { ratio, outcome } = row;
  if (ratio === null) return `No verdict: the ${effect} is not known`;
  if (outcome === 'no_change') return `No change above ${boundInWords(ratio, tolerance)} in the ${effect}`;
  if (outcome === 'inconclusive') {
    const range = printChangeInterval(ratio).replace(' to ', ' and ');
    return `Inconclusive: a change between ${range} in the ${effect}`;
  }
  const verb = effects[row.id][ratio.center > 1 ? 'up' : 'down'];
  // Of a side whose overhead is not certain, no center may be printed.
  const [one, other] = [row.from, row.to].map((each) => (each === null ? null : shiftOf(each)?.center));
  return `The ${effect} ${verb}${one == null || other == null ? '' : ` from ${one} to ${other}`}`;
}

/** `−5.1 % in the ratio of HTTPS to HTTP, 95 % CI −8.0 to −2.1 %, 3 and 4 launches`. */
function evidenceOf(row: HeadlineRow, from: ComparedRun, to: ComparedRun): string | null {
  const shift = changeShiftOf(row);
  if (shift === null) return null;
  const ratio = ratioInWords(from, to);
  const launches = launchesInWords(from, to);
  const amounts =
    shift.center === null
      ? [`95 % CI ${shift.interval} in ${ratio}`]
      : [`${shift.center} in ${ratio}`, `95 % CI ${shift.interval}`];
  return [...amounts, ...(launches === null ? [] : [launches])].join(', ');
}

function ratioInWords(from: ComparedRun, to: ComparedRun): string {
  const { baseline, comparison } = to.sides;
  const name = (side: KnownSide) => side.name ?? transportFacts[side.transport].name;
  return isSameSides(from.sides, to.sides) && name(baseline) !== name(comparison)
    ? `the ratio of ${name(comparison)} to ${name(baseline)}`
    : 'the ratio of the sides';
}

function launchesInWords(from: ComparedRun, to: ComparedRun): string | null {
  if (from.launches < 2 || to.launches < 2) return null;
  const [one, other] = [from, to].map(({ launches }) => printNumber(launches, 0));
  return one === other ? `${one} launches each` : `${one} and ${other} launches`;
}
