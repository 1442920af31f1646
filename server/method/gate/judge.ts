import type { Estimate } from '../../../shared/base/estimate.ts';
import { differenceOf, quotientOf } from '../../../shared/base/independent-estimates.ts';
import {
  printChange,
  printChangeInterval,
  printDifference,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { escapeMarkup } from '../../base/text/digest-picture.ts';
import type { Condition } from './condition.ts';

export type Judgment = {
  condition: Pick<Condition, 'text'>;
  /** `unknown`: there is no interval to judge by. */
  outcome: 'passed' | 'failed' | 'unknown';
  sentence: string;
};

type Judged = Pick<RunDocument, 'metrics'>;

type Judging = {
  /** An earlier run to count the limit from; null to count it from no difference between the sides. */
  against: Judged | null;
  /** By the center of the estimate. Otherwise the whole interval must be beyond the limit. */
  strict: boolean;
};

/** Whether a run meets a condition that fails a build. An interval that includes the limit passes, so noise fails no build. */
export function judge(document: Judged, condition: Condition, { against, strict }: Judging): Judgment {
  const { metric, of, text } = condition;
  const estimate = estimateOf(document, condition);
  const earlier = against === null ? null : estimateOf(against, condition);
  if (estimate === null || (against !== null && earlier === null)) {
    const where = estimate === null ? 'this run' : 'the earlier run';
    return { condition, outcome: 'unknown', sentence: `${text}: ${where} has no ${metric} to judge by.` };
  }
  const found = earlier === null ? estimate : apart[of](estimate, earlier);
  const failed = isBeyond(found, condition, strict);
  const printed = of === 'change' ? printedChange(found) : printedDifference(found, condition);
  const than = earlier === null ? '' : ' compared with the earlier run';
  return {
    condition,
    outcome: failed ? 'failed' : 'passed',
    sentence: `${text}: ${metricOf(metric).title} ${printed}${than}. ${failed ? 'Failed' : 'Passed'}.`,
  };
}

/** How far a run is from an earlier one. */
const apart = { change: quotientOf, difference: differenceOf };

export function isBeyond(
  { center, lo, hi }: Estimate,
  { of, operator, limit }: Pick<Condition, 'of' | 'operator' | 'limit'>,
  strict: boolean,
): boolean {
  const nearest = operator === '>' ? lo : hi;
  const decisive = strict ? center : nearest;
  // A change is estimated as a ratio: 1.2 is 20 % more.
  const value = of === 'change' ? decisive - 1 : decisive;
  return operator === '>' ? value > limit : value < limit;
}

function estimateOf({ metrics }: Judged, { metric, of }: Condition): Estimate | null {
  const row = metrics.find(({ id }) => id === metric);
  if (row === undefined || row.outcome === 'refused') return null;
  return of === 'change' ? row.ratio : row.delta;
}

function printedChange(ratio: Estimate): string {
  return `${printChange(ratio.center)} (95 % CI ${printChangeInterval(ratio)})`;
}

function printedDifference({ center, lo, hi }: Estimate, { metric }: Condition): string {
  const scale = scaleFor(metricOf(metric).unit, [center, lo, hi]);
  const print = (value: number) => printDifference(value, scale);
  return `${print(center)} (95 % CI ${print(lo)} to ${print(hi)})`;
}

/** Judgments as JUnit XML, which GitHub, GitLab, Jenkins and others show as tests: one test case for each condition. */
export function printJunit(judgments: readonly Judgment[], suite: string, seconds: number): string {
  const count = (outcome: Judgment['outcome']) => judgments.filter((each) => each.outcome === outcome).length;
  const counts = `tests="${judgments.length}" failures="${count('failed')}" errors="${count('unknown')}" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeMarkup(suite)}" ${counts}>`,
    ...judgments.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ condition, outcome, sentence }: Judgment): string {
  const head = `    <testcase classname="tls-toll" name="${escapeMarkup(`not ${condition.text}`)}"`;
  const message = escapeMarkup(sentence);
  if (outcome === 'passed') return `${head}><system-out>${message}</system-out></testcase>`;
  const element = outcome === 'failed' ? 'failure' : 'error';
  return `${head}><${element} message="${message}"/></testcase>`;
}

/**
 * A line that GitHub shows beside a commit; null for what has passed.
 * Source: docs.github.com, "Workflow commands for GitHub Actions".
 */
export function annotationOf({ outcome, sentence }: Judgment): string | null {
  if (outcome === 'passed') return null;
  const level = outcome === 'failed' ? 'error' : 'warning';
  return `::${level} title=TLS Toll::${sentence.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')}`;
}
