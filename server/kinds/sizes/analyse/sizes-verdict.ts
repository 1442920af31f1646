import {
  estimateDecimals,
  intervalDecimals,
  printChangeInterval,
  printNumber,
} from '../../../../shared/base/quantity.ts';
import type { Estimate, VerdictOutcome } from '../../../../shared/kinds/comparison/comparison.ts';
import type {
  Crossover,
  LineDifference,
  SizeComparison,
  SizeOverhead,
} from '../../../../shared/kinds/sizes/sizes.ts';

/**
 * What one https arm costs in latency, in a sentence as the study's: a time for each request, a share of the transfer
 * rate, and the size from which it costs little. Where a line is refused, by the smallest and the largest document alone.
 * @param refusal why no line holds; null where both do
 */
export function sizesVerdict(
  name: string,
  overhead: SizeOverhead,
  refusal: string | null,
): SizeComparison['verdict'] {
  const lines = overhead.records ?? overhead.straight;
  const claims =
    lines.holds && refusal === null
      ? [`${name} ${claimOfOffset(lines.offsetUs)} and ${claimOfRate(lines)}`]
      : [`${name} ${claimOfEnds(overhead)}`];
  const sentence = `${[...claims, claimOfCrossover(overhead)].join('; ')}.`;
  return {
    sentence: refusal === null ? sentence : `${sentence} ${refusal}`,
    outcome: outcomeOf(overhead, lines),
  };
}

function claimOfOffset(offsetUs: Estimate): string {
  const ms = (value: number) => printNumber(value / 1000, estimateDecimals(offsetUs, 1000));
  const interval = `95 % CI ${ms(offsetUs.lo)} to ${ms(offsetUs.hi)} ms`;
  if (offsetUs.lo <= 0 && offsetUs.hi >= 0) return `adds no measurable time to each request (${interval})`;
  const amount = ms(Math.abs(offsetUs.center));
  return `takes ${amount} ms ${offsetUs.center > 0 ? 'more' : 'less'} for each request (${interval})`;
}

function claimOfRate({ rateLossPercent: loss }: LineDifference): string {
  if (loss === null) return 'the time grows too little with size to state a transfer rate';
  const percent = (value: number) => printNumber(value, estimateDecimals(loss));
  const interval = `95 % CI ${percent(loss.lo)} to ${percent(loss.hi)} %`;
  if (loss.lo <= 0 && loss.hi >= 0) return `shows no clear loss of transfer rate (${interval})`;
  return `${loss.center > 0 ? 'loses' : 'gains'} ${percent(Math.abs(loss.center))} % of the transfer rate (${interval})`;
}

function claimOfEnds({ points }: SizeOverhead): string {
  const ends = [points[0], points.at(-1)].flatMap((point) => point ?? []);
  const claims = ends.map(({ size, ratio }) => {
    const change = printNumber(100 * Math.abs(ratio.center - 1), intervalDecimals(ratio));
    const amount = isUnclear(ratio)
      ? 'no clearly different time'
      : `${change} % ${ratio.center < 1 ? 'less time' : 'longer'}`;
    return `${amount} for ${printNumber(size, 0)} bytes (95 % CI ${printChangeInterval(ratio)})`;
  });
  return `takes ${claims.join(' and ')}`;
}

/** Of the lowest percentage that it stays below from some size on. */
function claimOfCrossover({ points, crossovers }: SizeOverhead): string {
  const [first] = points;
  const found = crossovers.find(({ bytes, interval }) => bytes !== null && interval !== null);
  if (first === undefined || found?.bytes == null || found.interval === null) {
    return claimOfBothEnds(points);
  }
  const { percent, bytes, interval } = found;
  return interval.hi <= first.size
    ? `the overhead is below ${percent} % at every measured size`
    : `from ${printSize(bytes)} on, the overhead is below ${percent} % (95 % CI ${printSizes(interval)})`;
}

/** Where it stays below no percentage, as it grows with the size. */
function claimOfBothEnds(points: SizeOverhead['points']): string {
  const ends = [points[0], points.at(-1)].flatMap((point) => point ?? []);
  const shares = ends.map(({ size, ratio }) => {
    const share = printNumber(100 * (ratio.center - 1), intervalDecimals(ratio));
    return `${isUnclear(ratio) ? 'not clear' : `${share} %`} at ${printNumber(size, 0)} bytes`;
  });
  return `the overhead is ${shares.join(' and ')}`;
}

function isUnclear({ lo, hi }: Estimate): boolean {
  return lo <= 1 && hi >= 1;
}

function printSizes({ lo, hi }: NonNullable<Crossover['interval']>): string {
  return `${printSize(lo)} to ${printSize(hi)}`;
}

/** Two digits tell enough of a crossover. */
function printSize(bytes: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(bytes)) - 1);
  const rounded = Math.round(bytes / unit) * unit;
  return rounded < 1000
    ? `${printNumber(rounded, 0)} bytes`
    : `${printNumber(rounded / 1000, rounded < 10_000 ? 1 : 0)} kB`;
}

function outcomeOf({ points }: SizeOverhead, { holds, offsetUs, usPerByte }: LineDifference): VerdictOutcome {
  const ends = [points[0], points.at(-1)].flatMap((point) => point ?? []);
  const costs = holds ? offsetUs.lo > 0 || usPerByte.lo > 0 : ends.some(({ ratio }) => ratio.lo > 1);
  if (costs) return 'overhead';
  const small = points.every(({ ratio }) => ratio.lo > 0.95 && ratio.hi < 1.05);
  return small ? 'no_overhead' : 'inconclusive';
}
