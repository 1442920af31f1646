import { estimateDecimals, printNumber } from '../../base/quantity.ts';
import type { Estimate } from '../../kinds/comparison/comparison.ts';
import { nameSizeArm } from '../../kinds/sizes/size-arm.ts';
import type { ArmResult, SizeComparison, SizesDocument } from '../../kinds/sizes/sizes.ts';
import { exactly, mapped, type Read, type Reading, type SizesFigure } from './figure.ts';

/** The range of documents that WebPerf measured. */
const [smallest, largest] = [1000, 100_000];
const fewestSizes = 8;
/** From which on a miss is no chance: Student's quantile of 12 rounds, over 24 sizes (0.05 ÷ 24). Less than this refuses no line. */
const [sureErrors, leastPercent] = [3.6, 5];

type Swept = Pick<SizesDocument, 'arms' | 'comparisons' | 'request'>;

/** Figures of a sweep over sizes; only where it has WebPerf's range of sizes. Several with several suites. */
export function readSizes({ of }: SizesFigure, swept: Swept): Read {
  const { sizes } = swept.request;
  if (Math.min(...sizes) > smallest || Math.max(...sizes) < largest || sizes.length < fewestSizes)
    return { missing: 'The sweep has fewer sizes than the study.' };
  if (of === 'refused lines') return refusedLines(swept.arms);
  if (of === 'spread') return widestSpread(swept.arms);
  const readings = swept.comparisons.flatMap((comparison) => {
    const reading = readingOf(of, comparison, nameOf(comparison, swept));
    return reading === null ? [] : [reading];
  });
  return readings.length === 0 ? { missing: 'The lines are too uncertain to say.' } : readings;
}

function nameOf({ arm }: SizeComparison, { arms, comparisons }: Swept): string {
  const own = arms.find((each) => each.arm === arm);
  return own === undefined || comparisons.length === 1 ? 'Today' : nameSizeArm(own);
}

function refusedLines(arms: readonly ArmResult[]): Read {
  const fits = arms.flatMap((arm) => (arm.latency === null ? [] : [{ arm, line: arm.latency.straight }]));
  if (fits.length < arms.length || fits.length === 0) return { missing: 'The lines were not fitted.' };
  const refused = fits.flatMap(({ arm, line }) =>
    line.refusals.slice(0, 1).map((reason) => `${nameSizeArm(arm)}: ${reason}`),
  );
  const residuals = fits.flatMap(({ line }) => line.residuals);
  const misses = residuals.map(({ percent }) => Math.abs(percent));
  const sure = residuals.some(
    ({ percent, errorPercent }) => Math.abs(percent) > Math.max(leastPercent, sureErrors * errorPercent),
  );
  return [
    {
      values: [exactly(refused.length)],
      ...(refused.length > 0 &&
        !sure && { doubt: 'The lines may miss because of noise. More rounds would decide.' }),
      today: refused[0] ?? `The lines miss no size by more than ${printNumber(Math.max(0, ...misses), 1)} %.`,
    },
  ];
}

/** The span of 95 % of the times of a size, divided by their median. */
function widestSpread(arms: readonly ArmResult[]): Read {
  const spreads = arms.flatMap(({ points }) =>
    points.map(({ p2_5, p97_5, medianUs }) => (p97_5 - p2_5) / medianUs),
  );
  if (spreads.length === 0) return { missing: 'No size was measured.' };
  const widest = Math.max(...spreads);
  return [
    {
      values: [exactly(widest)],
      today: `95 % of the times of a size span at most ${printNumber(widest, 2)} times their median.`,
    },
  ];
}

function readingOf(
  of: Exclude<SizesFigure['of'], 'refused lines' | 'spread'>,
  { latency }: SizeComparison,
  name: string,
): Reading | null {
  if (latency === null) return null;
  const { holds, rateLossPercent: loss, offsetUs } = latency.straight;
  const refused = holds ? {} : { doubt: 'A line is refused.' };
  if (of === 'offset') return { values: [offsetUs], today: `${name}: ${print(offsetUs, 'µs')}.`, ...refused };
  if (of === 'rate loss') {
    if (loss === null) return null;
    const figure = `${name}: ${print(loss, '%')}`;
    return { values: [loss], today: holds ? `${figure}.` : `${figure}, from refused lines.`, ...refused };
  }
  const point = latency.points.find(({ size }) => size === of.longerAt);
  if (point === undefined) return null;
  const longer = mapped(point.ratio, (ratio) => 100 * (ratio - 1));
  return { values: [longer], today: `${name}: ${print(longer, '%', 1)}.` };
}

function print(value: Estimate, unit: string, decimals = estimateDecimals(value)): string {
  const number = (each: number) => printNumber(each, decimals);
  return `${number(value.center)} ${unit} (${number(value.lo)} to ${number(value.hi)} ${unit})`;
}
