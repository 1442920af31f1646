import { differenceOf, mapEstimate, quotientOf } from '../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../shared/base/problem.ts';
import {
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  scaleFor,
} from '../../shared/base/quantity.ts';
import type { Estimate, Unit } from '../../shared/base/units.ts';
import { type MetricId, metricIds, metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';
import { type PricesDocument, priceUnits } from '../../shared/kinds/prices/prices.ts';
import { printInstructions, printMoreInstructions, sideTitle } from '../../shared/words/explain-sentence.ts';
import { escapeMarkup } from '../base/text/digest-picture.ts';

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
  const printed = of === 'change' ? printedChange(found) : printedDifference(found, metricOf(metric).unit);
  const than = earlier === null ? '' : ' compared with the earlier run';
  return {
    condition,
    outcome: failed ? 'failed' : 'passed',
    sentence: `${text}: ${metricOf(metric).title} ${printed}${than}. ${failed ? 'Failed' : 'Passed'}.`,
  };
}

/** How far a run is from an earlier one. */
const apart = { change: quotientOf, difference: differenceOf };

function isBeyond(
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

function printedDifference({ center, lo, hi }: Estimate, unit: Unit): string {
  const scale = scaleFor(unit, [center, lo, hi]);
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

/** A condition that fails a build, as it is written after `--fail-if`: `cpu_at_load > 20%`, `latency_p50 > 2 ms`. */
export type Condition<Metric extends string = MetricId> = {
  metric: Metric;
  operator: '>' | '<';
  /** `change`: a share of the baseline, 0.2 for 20 %. `difference`: comparison less baseline, in the metric's unit. */
  of: 'change' | 'difference';
  limit: number;
  /** The condition as it was written. */
  text: string;
};

const form = /^\s*([a-z0-9_]+)\s*(>|<)\s*([+−-]?\d+(?:\.\d+)?)\s*(?:([%a-zµ/]+)\s*)?$/iu;

/** Units as people write them, with the unit of the registry. */
const factors: Record<string, { unit: string; factor: number }> = {
  µs: { unit: 'us', factor: 1 },
  us: { unit: 'us', factor: 1 },
  ms: { unit: 'us', factor: 1000 },
  s: { unit: 'us', factor: 1_000_000 },
  B: { unit: 'bytes', factor: 1 },
  kB: { unit: 'bytes', factor: 1000 },
  MB: { unit: 'bytes', factor: 1_000_000 },
  '': { unit: 'instructions', factor: 1 },
};

/** Metrics that conditions can be about. */
type Table<Metric extends string> = {
  metrics: readonly Metric[];
  of(metric: Metric): { scale: string; unit: string };
  howTo: string;
};

/** Throws invalid_arguments. */
export function parseCondition(text: string): Condition {
  return parseOf(text, { metrics: metricIds, of: metricOf, howTo });
}

/** Parses a condition on instructions, which are counted without a unit: `instructions_per_transaction > 2%`. Throws invalid_arguments. */
export function parseInstructionCondition(text: string): Condition<InstructionMetric> {
  return parseOf(text, {
    metrics: ['instructions_per_transaction'],
    of: () => ({ scale: 'ratio', unit: 'instructions' }),
    howTo: 'Write it as “instructions_per_transaction > 2%” or “instructions_per_transaction > 1000”.',
  });
}

export type InstructionMetric = 'instructions_per_transaction';

function parseOf<Metric extends string>(
  text: string,
  { metrics, of, howTo }: Table<Metric>,
): Condition<Metric> {
  const [, name = '', operator = '', number = '', unit = ''] = form.exec(text) ?? refuse(text, howTo);
  const metric = metrics.find((id) => id === name);
  if (metric === undefined) {
    return refuse(text, `“${name}” is not a metric. Metrics are ${metrics.join(', ')}.`);
  }
  const value = Number(number.replace('−', '-'));
  const common = { metric, operator: operator as Condition['operator'], text: text.trim() };
  if (unit === '%') {
    if (of(metric).scale === 'ratio') return { ...common, of: 'change', limit: value / 100 };
    return refuse(
      text,
      `${metric} can be zero, so it has no change in percent. Give a difference in its unit.`,
    );
  }
  const known = factors[unit];
  if (known?.unit !== of(metric).unit)
    return refuse(text, unit === '' ? howTo : `${metric} has no unit ${unit}.`);
  return { ...common, of: 'difference', limit: value * known.factor };
}

const howTo =
  'Write a metric, > or <, and a number with % or a unit, such as “cpu_at_load > 20%” or “latency_p50 > 2 ms”.';

function refuse(text: string, why: string): never {
  throw problem('invalid_arguments', `--fail-if: “${text.slice(0, 200)}” cannot be read. ${why}`);
}

export type CountedDocument = Pick<ExplainDocument, 'request' | 'server' | 'environment' | 'instructions'>;

type InstructionsJudging = {
  /** Earlier counts, from whose comparison the limit is counted; null to count it from the baseline of these. */
  against: CountedDocument | null;
  /** By the median of the counts. Otherwise the lowest or the highest must be beyond the limit as well. */
  strict: boolean;
};

/** Whether a request of the comparison takes more instructions than it may. Unknown where the counts are of something else. */
export function judgeInstructions(
  document: CountedDocument,
  condition: Condition<InstructionMetric>,
  { against, strict }: InstructionsJudging,
): Judgment {
  const { text, of } = condition;
  const unknown = (why: string): Judgment => ({ condition, outcome: 'unknown', sentence: `${text}: ${why}` });
  const { instructions: now, request } = document;
  if (now === null) return unknown('this result has no counts. Add --instructions.');
  if (against?.instructions === null) return unknown('the earlier result has no counts.');
  const differences = against === null ? [] : whatDiffers(against, document);
  if (differences.length > 0) {
    return unknown(`the earlier counts cannot be compared: ${differences.join(', ')}. Count a new baseline.`);
  }
  const before = against?.instructions?.perRequest.comparison ?? now.perRequest.baseline;
  const found = apart[of](now.perRequest.comparison, before);
  const failed = isBeyond(found, condition, strict);
  const than =
    against === null ? ` than over ${sideTitle('baseline', request)}` : ' compared with the earlier result';
  const count = printInstructions(now.perRequest.comparison.center);
  return {
    condition,
    outcome: failed ? 'failed' : 'passed',
    sentence: `${text}: a request over ${sideTitle('comparison', request)} takes ${count} instructions, ${printed[of](found.center)}${than}. ${failed ? 'Failed' : 'Passed'}.`,
  };
}

const printed: Record<Condition['of'], (value: number) => string> = {
  change: (ratio) => printChange(ratio, 2),
  difference: (count) => `${printMoreInstructions(count)}`,
};

/** Differences that make counts incomparable, in words. The key may differ: it may be the change under test. */
function whatDiffers(from: CountedDocument, to: CountedDocument): string[] {
  const [before, after] = [factsOf(from), factsOf(to)];
  return Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} was ${before[name]} and is ${after[name]}`],
  );
}

function factsOf({ environment, instructions, server, request }: CountedDocument): Record<string, string> {
  return {
    'the CPU': environment.cpuModel,
    Valgrind: instructions?.valgrind ?? 'unknown',
    'the server': `${server.title} ${server.version ?? 'of an unknown version'}`,
    'the TLS library': server.tlsLibrary ?? 'unknown',
    'the second side': sideTitle('comparison', request),
    'the document': `${request.bytes} bytes`,
    'the connection policy': request.connectionPolicy,
  };
}

/** A condition on the items of a price list, each by its difference: `connection > 20x request`, `request > 80%`, `memory > 20 kB`. */
export type PriceCondition = Pick<Condition, 'operator' | 'limit' | 'text'> & {
  item: string;
  of: Condition['of'] | 'multiple';
  /** Item whose price over HTTPS a multiple counts in. */
  than: string | null;
};

const multipleForm = /^\s*([a-z0-9_]+)\s*(>|<)\s*(\d+(?:\.\d+)?)\s*[x×]\s*([a-z0-9_]+)\s*$/u;

/** Throws invalid_arguments. */
export function parsePriceCondition(text: string): PriceCondition {
  const unitOf = (id: string) => priceUnits.get(id)?.replace('memory_', '') ?? '';
  const ids = [...priceUnits.keys()];
  const multiple = multipleForm.exec(text);
  if (multiple === null) {
    const of = (id: string) => ({ scale: 'ratio', unit: unitOf(id) });
    const { metric: item, ...condition } = parseOf(text, { metrics: ids, of, howTo: howToPrice });
    return { ...condition, item, than: null };
  }
  const [, item = '', operator = '', number = '', than = ''] = multiple;
  const unknown = [item, than].find((id) => !priceUnits.has(id));
  if (unknown !== undefined) return refuse(text, `“${unknown}” is not an item. Items are ${ids.join(', ')}.`);
  if (unitOf(item) !== unitOf(than)) return refuse(text, `${item} and ${than} have different units.`);
  const limit = Number(number);
  return { item, operator: operator as '>' | '<', of: 'multiple', limit, than, text: text.trim() };
}

const howToPrice =
  'Write an item, > or <, and a multiple of another item, a percentage, or a number with its unit, such as “connection > 20x request” or “request > 80%”.';

type Listed = Pick<PricesDocument, 'items'>;
type PriceJudging = { against: Listed | null; strict: boolean };

/** Whether the difference of an item is beyond a limit: more than so many of another item, more than over HTTP, or in its unit. */
export function judgePrices(
  document: Listed,
  condition: PriceCondition,
  { against, strict }: PriceJudging,
): Judgment {
  const { item, of, limit, operator, text } = condition;
  const estimate = priceIn(document, condition);
  const earlier = against === null ? null : priceIn(against, condition);
  if (estimate === null || (against !== null && earlier === null)) {
    const where = estimate === null ? 'this list' : 'the earlier list';
    return { condition, outcome: 'unknown', sentence: `${text}: ${where} has no such price to judge by.` };
  }
  const found =
    earlier === null || of === 'multiple'
      ? estimate
      : apart[of === 'change' ? 'change' : 'difference'](estimate, earlier);
  const failed = isBeyond(found, { of: of === 'change' ? 'change' : 'difference', operator, limit }, strict);
  const title = document.items.find(({ id }) => id === item)?.title ?? item;
  const than = earlier === null ? '' : ' compared with the earlier list';
  const moves =
    of === 'difference' && priceUnits.get(item) === 'us'
      ? ' Microseconds change with the machine. A multiple of another item, such as “connection > 20x request”, does not.'
      : '';
  return {
    condition,
    outcome: failed ? 'failed' : 'passed',
    sentence: `${text}: ${title} ${printPrice(found, condition)}${than}. ${failed ? 'Failed' : 'Passed'}.${moves}`,
  };
}

function priceIn({ items }: Listed, { item, of, than }: PriceCondition): Estimate | null {
  const { baseline = null, difference = null } = items.find(({ id }) => id === item) ?? {};
  if (difference === null) return null;
  if (of === 'difference') return difference;
  if (of === 'change') {
    if (baseline === null || baseline.center <= 0 || baseline.center + difference.lo <= 0) return null;
    return mapEstimate(difference, (more) => 1 + more / baseline.center);
  }
  const price = items.find(({ id }) => id === than)?.comparison ?? null;
  if (price === null || price.lo <= 0) return null;
  const { center, lo, hi } = difference;
  return {
    center: center / price.center,
    lo: lo / (lo > 0 ? price.hi : price.lo),
    hi: hi / (hi > 0 ? price.lo : price.hi),
  };
}

function printPrice(found: Estimate, { item, of, than }: PriceCondition): string {
  if (of === 'change') return printedChange(found);
  if (of === 'multiple') {
    const [center, lo, hi] = [found.center, found.lo, found.hi].map((times) => printNumber(times, 1));
    return `costs ${center} × ${than} (95 % CI ${lo} to ${hi})`;
  }
  return printedDifference(found, priceUnits.get(item) === 'us' ? 'us' : 'bytes');
}
