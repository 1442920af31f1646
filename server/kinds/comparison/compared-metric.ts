import { plainOf } from '../../../shared/base/arms.ts';
import {
  addedTo,
  excludes,
  lessOne,
  mapEstimate,
  movedTo,
  scaledTo,
} from '../../../shared/base/estimate-arithmetic.ts';
import type { Arm } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { Block, Window } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison, Precision, Widening } from '../../../shared/kinds/comparison/comparison.ts';
import { operatingPointSchema } from '../../../shared/kinds/comparison/load-profile.ts';
import type { Metric, MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { noPast, type Past } from '../../../shared/kinds/comparison/past.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { type DriftPoint, driftOf, driftWidening } from '../../method/statistics/drift.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { carryOverWidening } from '../../method/statistics/order-effect.ts';
import { fewestSamples, type Unit } from '../../method/statistics/pool-runs.ts';
import {
  boundsOf,
  eachLaunch,
  type Priors,
  precisionOf,
  pValueOf,
  withTwin,
} from '../../method/statistics/precision.ts';
import { question, type Reading, readBlock, readBlocks } from './metric-readings.ts';
import { movesBetweenRuns, shippedBetweenLaunches, shippedBetweenRuns } from './run-pool.ts';

/** A row of the delta table without its word, and what the word is chosen from. */
export type ComparedMetric = {
  row: Omit<MetricComparison, 'outcome' | 'reasons'>;
  /** comparison against baseline, at 95 and 90 % (99 and 98 if the run was continued): as a ratio less one, or in the metric's unit. Null where there is no interval. */
  shift: Estimate | null;
  narrowShift: Estimate | null;
  /** That there is no difference; 1 without an interval. */
  pValue: number;
  /** Number of samples if too few for an outcome; null if they suffice, or if the metric has no samples. */
  tooFewSamples: number | null;
  /** Blocks that hold the metric. */
  blocks: Block[];
};

/** Other facts that an interval rests on, in addition to the counting blocks. */
export type Surroundings = {
  target: TargetKind;
  past: Past;
  /** All blocks of the run, spoiled or not. */
  all: readonly Block[];
  /** Widening of the log ratio of CPU at load, to each side, for programs that work after their requests. */
  late?: number;
  /** Leaves out what moves between runs. */
  isAlone?: boolean;
  /** That the run continues another, after a look at its values. */
  isContinued?: boolean;
};

/** Surroundings of a run of which only the blocks are known. */
export function surroundingsOf(all: readonly Block[], known: Partial<Surroundings> = {}): Surroundings {
  return { target: 'storefront', past: noPast, all, ...known };
}

/** @param blocks those that count for the metric */
export function compareMetric(
  metric: Metric,
  blocks: readonly Block[],
  surroundings: Surroundings,
): ComparedMetric {
  const isRatio = metric.scale === 'ratio';
  const holding = blocks.flatMap((block) => readBlock(metric, block).map((reading) => ({ block, reading })));
  const kept = holding.filter(({ reading }) => !reading.aside);
  const held = blocks.filter((block) => kept.some((each) => each.block === block));
  const all = readBlocks(metric, held);
  const calm = all.filter(({ aside }) => !aside);
  // A busy machine widens the interval but never removes the answer.
  const setsAside = calm.length >= fewestSamples || all.length < fewestSamples;
  const readings = setsAside ? calm : all;
  const priors = priorsOf(metric, surroundings);
  const precise = (read: (reading: Reading) => number | null, of: Priors = priors) =>
    precisionOver(readings, read, of);
  const preciseOfAll = () => precisionOver(all, (reading) => reading.shift, priors);
  const twinShift = bounded(precise((reading) => reading.twinShift, { ...priors, betweenRuns: null }));
  const own = precise((reading) => reading.shift);
  const widened = own === null ? null : withTwin(withWidenings(own, metric, held, surroundings), twinShift);
  const confidence = surroundings.isContinued === true ? 0.99 : 0.95;
  const [shift, narrow] = [bounded(widened, confidence), bounded(widened, 2 * confidence - 1)];
  const print = isRatio ? Math.exp : (value: number) => value;
  const ratio = (logs: Estimate | null) => (isRatio ? mapEstimate(logs, Math.exp) : null);
  const baseline = sideOf(readings.map(withValue((reading) => reading.baseline)), isRatio);
  const comparison = sideOf(readings.map(withValue((reading) => reading.comparison)), isRatio);
  return {
    row: {
      ...{ id: metric.id, unit: metric.unit, baseline },
      comparison: secondSide(baseline, comparison, { ratio: ratio(shift), shift }),
      delta: isRatio ? deltaOf(baseline, ratio(shift), readings, { priors, widened, confidence }) : shift,
      ...{ ratio: ratio(shift), twinRatio: ratio(twinShift) },
      ratioOfAll: all.length === readings.length ? null : ratio(bounded(preciseOfAll())),
      ...(confidence === 0.99 ? { confidence } : {}),
      ...(widened === null ? {} : { precision: widened }),
      launches: isRatio ? launchesOf(readings) : [],
      pairs: holding.map(({ block, reading }) => ({
        ...{ block: block.index, atMs: reading.atMs },
        value: rounded(print(reading.shift)),
        twinValue: reading.twinShift === null ? null : rounded(print(reading.twinShift)),
        ...(reading.aside && setsAside ? { aside: true as const } : {}),
      })),
    },
    shift: isRatio ? mapEstimate(ratio(shift), lessOne) : shift,
    narrowShift: isRatio ? mapEstimate(ratio(narrow), lessOne) : narrow,
    // Its levels are for 95 %: five times the p-value at 99 %.
    pValue: widened === null ? 1 : Math.min(1, (pValueOf(widened) * 0.05) / (1 - confidence)),
    // A block with several readings has samples.
    tooFewSamples: all.length > held.length && readings.length < fewestSamples ? readings.length : null,
    blocks: held,
  };
}

/** Rounded, because a long run has hundreds of samples. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** Earlier runs have variances of logarithms, but not of differences in a unit. */
export function priorsOf(
  { id, scale }: Pick<Metric, 'id' | 'scale'>,
  { target, past, isAlone = false }: Pick<Surroundings, 'target' | 'past' | 'isAlone'>,
): Priors {
  const standing = target === 'origins';
  if (scale === 'difference') return { standing, prior: null, betweenRuns: null };
  return {
    standing,
    prior: past.betweenLaunches[id] ?? shippedBetweenLaunches(id, target),
    betweenRuns:
      movesBetweenRuns(target) && !isAlone ? (past.betweenRuns[id] ?? shippedBetweenRuns(id, target)) : null,
  };
}

function withWidenings(
  precision: Precision,
  { id }: Metric,
  blocks: readonly Block[],
  { all, late = 0 }: Surroundings,
): Precision {
  const found: Widening[] = [
    { name: 'drift', by: driftOfMetric(id, blocks, all) },
    // Both work for the previous turn.
    { name: 'carry-over', by: Math.max(carryOverOfMetric(id, blocks), id === 'cpu_at_load' ? late : 0) },
  ];
  return { ...precision, widenings: [...precision.widenings, ...found.filter(({ by }) => by > 0)] };
}

function withValue(read: (reading: Reading) => number): (reading: Reading) => Unit {
  return (reading) => ({ launch: reading.launch, value: read(reading) });
}

/** Null where a reading lacks it. */
function precisionOver(
  readings: readonly Reading[],
  read: (reading: Reading) => number | null,
  priors: Priors,
): Precision | null {
  const units = readings.flatMap((reading) => {
    const value = read(reading);
    return value === null ? [] : [{ launch: reading.launch, value }];
  });
  return units.length === 0 || units.length < readings.length ? null : precisionOf(units, priors);
}

function bounded(precision: Precision | null, confidence?: number): Estimate | null {
  return precision === null ? null : boundsOf(precision, confidence);
}

/**
 * One side's figure with its interval for these processes in this minute: between launches, and with the machine's speed, it moves
 * more than the ratio. With too few readings for an interval, their range.
 */
function sideOf(units: readonly Unit[], isRatio: boolean): Estimate | null {
  if (units.length === 0) return null;
  const scaled = isRatio ? units.map(({ launch, value }) => ({ launch, value: Math.log(value) })) : units;
  const values = scaled.map(({ value }) => value);
  const center = meanOf(values);
  const precision = precisionOf(scaled, { standing: true, prior: null, betweenRuns: null });
  const { lo, hi } = bounded(precision) ?? { lo: Math.min(...values), hi: Math.max(...values) };
  return isRatio ? mapEstimate({ center, lo, hi }, Math.exp) : { center, lo, hi };
}

/**
 * The center is the baseline's with the shift, so that a reader who subtracts or divides the sides gets it; the interval is as wide as the
 * side's own.
 */
function secondSide(
  baseline: Estimate | null,
  own: Estimate | null,
  { ratio, shift }: { ratio: Estimate | null; shift: Estimate | null },
): Estimate | null {
  if (baseline === null || own === null || shift === null) return own;
  return ratio === null
    ? movedTo(own, baseline.center + shift.center)
    : scaledTo(own, baseline.center * ratio.center);
}

/**
 * The center is what the ratio adds to the baseline's mean, so that the table adds up. The interval is the difference's own, from the
 * samples' differences: it also contains how the machine's speed moved. Variances of earlier runs are of logarithms, so differences are
 * read as shares of the comparison.
 */
function deltaOf(
  baseline: Estimate | null,
  ratio: Estimate | null,
  readings: readonly Reading[],
  { priors, widened, confidence }: { priors: Priors; widened: Precision | null; confidence: number },
): Estimate | null {
  if (baseline === null || ratio === null) return null;
  const { center } = addedTo(baseline, ratio);
  const whole = baseline.center * ratio.center;
  const own = precisionOver(readings, (reading) => (reading.comparison - reading.baseline) / whole, priors);
  const bounds = bounded(own === null ? null : { ...own, widenings: widened?.widenings ?? [] }, confidence);
  if (bounds === null) return { center, lo: center, hi: center };
  const { lo, hi } = mapEstimate(bounds, (each) => center + (each - bounds.center) * whole);
  // The ratio decides: if it may be none, so may the difference.
  const mayBeNone = !excludes(ratio, 1);
  return { center, lo: mayBeNone ? Math.min(lo, 0) : lo, hi: mayBeNone ? Math.max(hi, 0) : hi };
}

function launchesOf(readings: readonly Reading[]): MetricComparison['launches'] {
  return eachLaunch(readings.map(withValue(({ shift }) => shift))).map(({ launch, ...logs }) => {
    const twins = readings.flatMap((each) => (each.launch === launch ? (each.twinShift ?? []) : []));
    const twinRatio = twins.length === 0 ? null : Math.exp(meanOf(twins));
    return { launch, ratio: mapEstimate(logs, Math.exp), twinRatio };
  });
}

/** Widening of a log ratio, to each side, for the order of turns: an arm may cost more right after the comparison. */
function carryOverOfMetric(id: MetricId, blocks: readonly Block[]): number {
  return carryOverWidening(blocks.flatMap(({ carryOver }) => carryOver?.[id] ?? []));
}

/** Points per block. Windows next to each other share disturbances, so each alone is no point. */
const batchesOfBlock = 3;

/** Widening of a metric's log ratio, to each side, for its drift within launches; 0 if it has no windows. */
function driftOfMetric(id: MetricId, blocks: readonly Block[], all: readonly Block[]): number {
  const costOf = costs[id];
  if (costOf === undefined) return 0;
  const points = blocks.flatMap((block) => pointsOf(block, servedBefore(block, all), costOf));
  return driftWidening(driftOf(points));
}

type Cost = (windows: readonly Window[], arm: Arm) => number;

const cpu: Cost = (windows, arm) =>
  sumOf(windows.map(({ arms }) => arms[arm].cpuUs ?? Number.NaN)) / transactionsOf(windows, arm);
const throughput: Cost = (windows, arm) => sumOf(windows.map(({ arms }) => arms[arm].perS ?? Number.NaN));
const latency: Cost = (windows, arm) =>
  Math.exp(sumOf(windows.map(({ arms }) => Math.log(arms[arm].medianUs ?? Number.NaN))) / windows.length);

const costs: Partial<Record<MetricId, Cost>> = {
  cpu_at_load: cpu,
  cpu_lone: cpu,
  throughput,
  transactions_per_10_min: throughput,
  latency_p50: latency,
};

function pointsOf({ launch, windows }: Block, before: number, costOf: Cost): DriftPoint[] {
  const kept = windows.filter(({ aside }) => !aside);
  const size = Math.ceil(kept.length / batchesOfBlock);
  const points: DriftPoint[] = [];
  let served = before;
  for (let from = 0; from < kept.length; from += size) {
    const batch = kept.slice(from, from + size);
    const transactions = transactionsOf(batch, question.of);
    const logCostOf = (arm: Arm) => Math.log(costOf(batch, arm));
    const logRatio = logCostOf(question.of) - meanOf(plainOf(question).map(logCostOf));
    if (Number.isFinite(logRatio)) {
      points.push({ launch, transactions: served + transactions / 2, logRatio, weight: batch.length });
    }
    served += transactions;
  }
  return points;
}

/** Transactions of the comparison in the launch, before the block. */
function servedBefore({ index, launch }: Block, all: readonly Block[]): number {
  const earlier = all.filter((block) => block.launch === launch && block.index < index);
  return sumOf(
    earlier.flatMap(({ slots }) => slots.map(({ arm, load }) => (arm === question.of ? load.succeeded : 0))),
  );
}

function transactionsOf(windows: readonly Window[], arm: Arm): number {
  return sumOf(windows.map(({ arms }) => arms[arm].transactions));
}

const everyPoint = operatingPointSchema.options.length;

/**
 * The blocks that a metric is read from, spoiled or not: those of the first of its operating points that the run has, or
 * all where it is read everywhere.
 */
export function blocksAtPointOf({ points }: Pick<Metric, 'points'>, blocks: readonly Block[]): Block[] {
  if (points.length === everyPoint) return [...blocks];
  const kinds = new Set(blocks.map(({ kind }) => kind));
  const point = points.find((each) => kinds.has(each));
  return blocks.filter(({ kind }) => kind === point);
}

/** The blocks of the metric that nothing spoils. */
export function soundBlocksOf(metric: Pick<Metric, 'points' | 'group'>, blocks: readonly Block[]): Block[] {
  return blocksAtPointOf(metric, blocks).filter((block) => !isSpoiled(metric, block));
}

export function isSpoiled({ group }: Pick<Metric, 'group'>, { reasons }: Block): boolean {
  return reasons.some(({ spoils }) => spoils === 'all' || spoils === group);
}

/** Whether a block counts at all; some of its metrics may not. */
export function isKept({ reasons }: Pick<Block, 'reasons'>): boolean {
  return reasons.every(({ spoils }) => spoils !== 'all');
}
