import type { Estimate } from '../../shared/base/estimate.ts';
import { printOption } from '../../shared/base/option.ts';
import {
  printChange,
  printChangeInterval,
  printNumber,
  printQuantity,
  scaleFor,
} from '../../shared/base/quantity.ts';
import { factorTable } from '../../shared/kinds/servers/options.ts';
import type { CellSettings, FactorName } from '../../shared/kinds/servers/servers-result.ts';
import { niceTicks } from './option-form.ts';

/** How screens call the factors, in the order of a table. */
export const factorTitles = Object.fromEntries(
  Object.entries(factorTable).map(([factor, { label }]) => [factor, label]),
) as Record<FactorName, string>;

export function printLevel<Name extends FactorName>(factor: Name, level: CellSettings[Name]): string {
  const printed = printOption(factorTable[factor], level);
  if (factor !== 'concurrency') return printed;
  return `${printed} ${level === 1 ? 'connection' : 'connections'}`;
}

/** Those that differ between cells. */
export function varying(cells: readonly { settings: CellSettings }[]): FactorName[] {
  const [first] = cells;
  return (Object.keys(factorTitles) as FactorName[]).filter((factor) =>
    cells.some(({ settings }) => settings[factor] !== first?.settings[factor]),
  );
}

/** Estimates in tables and charts; a dash for what was not measured. */

/** `12.3 (11.9 to 12.8)`. */
export function printInterval(estimate: Estimate | null | undefined, decimals: number): string {
  if (estimate == null) return '–';
  const print = (value: number) => printNumber(value, decimals);
  return `${print(estimate.center)} (${print(estimate.lo)} to ${print(estimate.hi)})`;
}

/** `+20 % (+18 to +22 %)`. */
export function printRatio(ratio: Estimate | null | undefined): string {
  return ratio == null ? '–' : `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}

/** 20 for a ratio of 1.2. */
export function percentOf(ratio: number): number {
  return 100 * (ratio - 1);
}

/** A label of an axis of ratios, from the change: `×1.2` for 0.2, `×1`, `×0.5`. */
export function printRatioTick(change: number): string {
  return `×${Number((1 + change).toPrecision(3))}`;
}

/** A label of an axis of changes: `+2.5 %` for 0.025, `0 %`, `−10 %`. As few digits as the tick itself has. */
export function printChangeTick(change: number): string {
  const percent = Number((change * 100).toPrecision(3));
  if (percent === 0) return '0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

/** Round ratios between two ratios, about `count` of them: evenly apart as ratios, or as decades and their fifths and halves. */
export function ratioTicks(from: number, to: number, count: number): number[] {
  if (to / from < 4) return niceTicks(from, to, count).filter((ratio) => ratio > 0);
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => first + index);
  const ratios = decades.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  return ratios.filter((ratio) => ratio >= from && ratio <= to);
}

/** For an even number of values, the mean of the middle two; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}

/** `0 B`, `84 kB`, `1.25 MB`: one amount that stands alone. */
export function printBytes(bytes: number): string {
  return printQuantity(bytes, scaleFor('bytes', [bytes]));
}

/** A share in percent without trailing zeros: 0.05 is `5 %`, 0.0634 with two digits `6.3 %`. */
export function printPercent(share: number, digits = 3): string {
  return `${Number((share * 100).toPrecision(digits))} %`;
}
