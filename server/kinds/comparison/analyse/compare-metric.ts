import type { Block } from '../../../../shared/block.ts';
import type { Estimate, MetricComparison } from '../../../../shared/comparison.ts';
import type { Metric } from '../../../../shared/metric.ts';
import { type LaunchInterval, launchInterval } from '../../../statistics/launch-interval.ts';
import { withinLaunch } from '../../../statistics/within-launch.ts';
import { type Reading, readBlock, readBlocks } from './metric-readings.ts';

/** A row of the delta table without its word, and what the word is chosen from. */
export type ComparedMetric = {
  row: Omit<MetricComparison, 'outcome' | 'reasons'>;
  /** comparison against baseline, at 95 and 90 %: as a ratio less one, or in the metric's unit. Null where there is no interval. */
  shift: Estimate | null;
  narrowShift: Estimate | null;
  /** That there is no difference; 1 without an interval. */
  pValue: number;
  /** twin divided by baseline, at 99 %. */
  twin: Estimate | null;
  /** Blocks that hold the metric. */
  blocks: Block[];
};

/** @param blocks those that count for the metric */
export function compareMetric(metric: Metric, blocks: readonly Block[]): ComparedMetric {
  const isRatio = metric.scale === 'ratio';
  const holding = blocks.flatMap((block) => {
    const reading = readBlock(metric, block);
    return reading === null ? [] : [{ block, reading }];
  });
  const readings = readBlocks(
    metric,
    holding.map(({ block }) => block),
  );
  const over = (read: (reading: Reading) => number | null, confidence = 0.95) =>
    intervalOver(readings, read, confidence);
  const shift = over((reading) => reading.shift);
  const ratio = (interval: LaunchInterval | null) => (isRatio ? exponential(interval) : null);
  const [twinShift, shiftOfAll] = [over(({ twinShift }) => twinShift), over(({ shiftOfAll }) => shiftOfAll)];
  const print = isRatio ? Math.exp : (value: number) => value;
  const baseline = sideOf(readings.map(withValue(({ baseline }) => baseline)), isRatio);
  const comparison = sideOf(readings.map(withValue(({ comparison }) => comparison)), isRatio);
  return {
    row: {
      ...{ id: metric.id, unit: metric.unit, baseline, comparison },
      delta: isRatio ? differenceOf(readings, baseline, comparison) : estimateOf(shift),
      ...{ ratio: ratio(shift), nullRatio: ratio(twinShift), ratioOfAll: ratio(shiftOfAll) },
      launches: isRatio ? launchesOf(readings) : [],
      pairs: holding.map(({ block, reading }) => ({
        block: block.index,
        value: print(reading.shift),
        nullValue: reading.twinShift === null ? null : print(reading.twinShift),
      })),
    },
    shift: isRatio ? lessOne(ratio(shift)) : estimateOf(shift),
    narrowShift: changeOf(
      over((reading) => reading.shift, 0.9),
      isRatio,
    ),
    pValue: shift?.pValue ?? 1,
    twin: ratio(over((reading) => reading.twinShift, 0.99)),
    blocks: holding.map(({ block }) => block),
  };
}

type Unit = { launch: number; value: number };

function withValue(read: (reading: Reading) => number): (reading: Reading) => Unit {
  return (reading) => ({ launch: reading.launch, value: read(reading) });
}

/** Null where a reading lacks it. */
function intervalOver(
  readings: readonly Reading[],
  read: (reading: Reading) => number | null,
  confidence: number,
): LaunchInterval | null {
  const units = readings.flatMap((reading) => {
    const value = read(reading);
    return value === null ? [] : [{ launch: reading.launch, value }];
  });
  return units.length < readings.length ? null : launchInterval(units, confidence);
}

/** One side's figure; of too few readings for an interval the range. */
function sideOf(units: readonly Unit[], isRatio: boolean): Estimate | null {
  if (units.length === 0) return null;
  const scaled = isRatio ? units.map(({ launch, value }) => ({ launch, value: Math.log(value) })) : units;
  const values = scaled.map(({ value }) => value);
  const center = values.reduce((sum, value) => sum + value, 0) / values.length;
  const estimate = launchInterval(scaled, 0.95) ?? {
    ...{ center, lo: Math.min(...values), hi: Math.max(...values) },
  };
  return isRatio ? exponential(estimate) : estimateOf(estimate);
}

/**
 * The difference of two geometric means, so that the table adds up. Its interval is that of its first-order terms in the
 * logarithms of both sides, which vary together from launch to launch.
 */
function differenceOf(
  readings: readonly Reading[],
  baseline: Estimate | null,
  comparison: Estimate | null,
): Estimate | null {
  if (baseline === null || comparison === null) return null;
  const terms = intervalOver(
    readings,
    (reading) =>
      comparison.center * Math.log(reading.comparison) - baseline.center * Math.log(reading.baseline),
    0.95,
  );
  if (terms === null) return null;
  const center = comparison.center - baseline.center;
  const reach = terms.hi - terms.center;
  return { center, lo: center - reach, hi: center + reach };
}

function launchesOf(readings: readonly Reading[]): MetricComparison['launches'] {
  const launches = Map.groupBy(readings, ({ launch }) => launch);
  return [...launches].map(([launch, of]) => {
    const ratio = exponential(withinLaunch(of.map(({ shift, error }) => ({ value: shift, error }))));
    const twins = of.flatMap(({ twinShift }) => twinShift ?? []);
    const nullRatio =
      twins.length === 0 ? null : Math.exp(twins.reduce((sum, value) => sum + value, 0) / twins.length);
    return { launch, ratio, nullRatio };
  });
}

function exponential(logs: Estimate): Estimate;
function exponential(logs: Estimate | null): Estimate | null;
function exponential(logs: Estimate | null): Estimate | null {
  return logs === null
    ? null
    : { center: Math.exp(logs.center), lo: Math.exp(logs.lo), hi: Math.exp(logs.hi) };
}

function changeOf(interval: LaunchInterval | null, isRatio: boolean): Estimate | null {
  return isRatio ? lessOne(exponential(interval)) : estimateOf(interval);
}

function lessOne(ratio: Estimate | null): Estimate | null {
  return ratio === null ? null : { center: ratio.center - 1, lo: ratio.lo - 1, hi: ratio.hi - 1 };
}

function estimateOf(interval: Estimate | null): Estimate | null {
  return interval === null ? null : { center: interval.center, lo: interval.lo, hi: interval.hi };
}
