import { estimateDecimals, printNumber } from '../base/quantity.ts';
import { nameSizeArm } from '../kinds/sizes/size-arm.ts';
import type { ArmResult, SizeComparison, SizesDocument } from '../kinds/sizes/sizes.ts';
import { type Claim, judgeWithin } from './claim.ts';
import { webperf1998 } from './webperf-1998.ts';

/** The range of documents that the study measured. */
const [smallest, largest] = [1000, 100_000];
const fewestSizes = 8;

const losses = webperf1998.rows.map(({ rateLossPercent }) => rateLossPercent);
const [least, most] = [Math.min(...losses), Math.max(...losses)];

/** What Goldberg, Buff and Schmitt found in 1998, judged by the times of a sweep over sizes; only where it has their range of sizes. */
export function webperfClaims({
  arms,
  comparisons,
  request,
}: Pick<SizesDocument, 'arms' | 'comparisons' | 'request'>): Claim[] {
  const { sizes } = request;
  if (Math.min(...sizes) > smallest || Math.max(...sizes) < largest || sizes.length < fewestSizes) return [];
  return [
    ...straightLine(arms),
    ...comparisons.flatMap((comparison) => {
      const arm = arms.find((each) => each.arm === comparison.arm);
      const name = arm === undefined || comparisons.length === 1 ? 'Today' : nameSizeArm(arm);
      return [...rateLoss(comparison, name), ...timeOfLarge(comparison, name)];
    }),
  ];
}

function straightLine(arms: readonly ArmResult[]): Claim[] {
  const fits = arms.flatMap((arm) => (arm.latency === null ? [] : [{ arm, line: arm.latency.straight }]));
  if (fits.length < arms.length || fits.length === 0) return [];
  const refused = fits.flatMap(({ arm, line }) =>
    line.refusals.slice(0, 1).map((reason) => `${nameSizeArm(arm)}: ${reason}`),
  );
  const misses = fits.flatMap(({ line }) => line.residuals.map(({ percent }) => Math.abs(percent)));
  return [
    {
      claim: 'Time is Offset + Size ÷ Rate',
      verdict: refused.length === 0 ? 'holds' : 'does not hold',
      today: refused[0] ?? `The lines miss no size by more than ${printNumber(Math.max(0, ...misses), 1)} %.`,
    },
  ];
}

function rateLoss({ latency }: SizeComparison, name: string): Claim[] {
  const loss = latency?.straight.rateLossPercent ?? null;
  if (loss === null || latency === null) return [];
  const { holds } = latency.straight;
  const print = (value: number) => printNumber(value, estimateDecimals(loss));
  const figure = `${name}: ${print(loss.center)} % (${print(loss.lo)} to ${print(loss.hi)} %)`;
  return [
    {
      claim: `Encryption costs ${least} to ${most} % of the transfer rate`,
      verdict: holds ? judgeWithin(loss, least, most) : 'not decided',
      today: holds ? `${figure}.` : `${figure}, from refused lines.`,
    },
  ];
}

/** Where the offset no longer counts, a rate that falls by a share makes a time grow by 1 ÷ (1 − share). */
function timeOfLarge({ latency }: SizeComparison, name: string): Claim[] {
  const point = latency?.points.find(({ size }) => size === largest);
  if (point === undefined) return [];
  const [from, to] = [1 / (1 - least / 100), 1 / (1 - most / 100)];
  const percent = (ratio: number) => printNumber(100 * (ratio - 1), 1);
  const { center, lo, hi } = point.ratio;
  return [
    {
      claim: `So a document of ${printNumber(largest, 0)} bytes takes ${printNumber(100 * (from - 1), 0)} to ${printNumber(100 * (to - 1), 0)} % longer`,
      verdict: judgeWithin(point.ratio, from, to),
      today: `${name}: ${percent(center)} % (${percent(lo)} to ${percent(hi)} %).`,
    },
  ];
}
