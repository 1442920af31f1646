import { printLength } from '../../shared/kinds/comparison/load-names.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { RunSummary } from '../../shared/measurement/measurement-summary.ts';
import { type Look, lookOfOutcome, lookOfState } from './outcome.ts';
import { sidesOf } from './side.ts';

/** A run is called by its verdict: with earlier runs of its question by theirs together, so that one question has one number. */
export function runLine(run: RunSummary) {
  const { baseline, comparison } = sidesOf(run.sides);
  return {
    title: titleOf(run),
    details: [
      `${run.scenario} on ${run.target}`,
      `${baseline.label} and ${comparison.label}`,
      ...(run.tls === undefined ? [] : [run.tls]),
      printLength(run.length),
    ],
    look: lookOfRun(run),
  };
}

function titleOf({ pooled, verdict: own, problem, state, queuePosition, earlier }: RunSummary): string {
  if (earlier === true) return 'Made by an earlier version';
  const verdict = pooled ?? own;
  if (verdict !== null) return verdict.sentence;
  if (problem !== null) return problem.title;
  if (state === 'queued')
    return queuePosition === null ? 'Waiting' : `Waiting, number ${queuePosition} in the queue`;
  return state === 'running' ? 'Measuring now' : lookOfState(state).word;
}

function lookOfRun({ pooled, verdict: own, state }: RunSummary): Look {
  const verdict = pooled ?? own;
  if (verdict === null || state !== 'finished') return lookOfState(state);
  const { better } = metricOf(verdict.metric);
  // A summary holds no figures: the sign is that of the usual case, and the sentence says what was found.
  return lookOfOutcome(verdict.outcome, better === 'lower' ? 1 : -1, better);
}
