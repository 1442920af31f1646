import { printNumber } from '../base/quantity.ts';
import type { Figure } from './figures/figure.ts';
import type { StudyMeasurementName } from './plan.ts';
import type { StudyName } from './study.ts';

/** What a study or the field said, and the rule that decides whether it still holds. The rule is shown with the outcome. */

export const claimWords = ['holds', 'no longer', 'not decided', 'not comparable', 'not measured'] as const;
export type ClaimWord = (typeof claimWords)[number];

/** In the unit of the claim. An end that is left out is open. */
export type Rule = { from?: number; to?: number };

export type Claim = {
  /** The same in every version. */
  id: string;
  study: StudyName;
  /** In our words. */
  said: string;
  /** The figure as the source prints it, if there is one. */
  printed: string | null;
  /** Of the figure that is read today. */
  unit: ClaimUnit;
  /** Of a long table, which is folded away; left out where the claim stands for itself. */
  table?: string;
} & (Asked | Unasked);

/** Each word is written after the number. */
export type ClaimUnit =
  | ''
  | '%'
  | 'points'
  | 'times'
  | 'µs'
  | 'ms'
  | 'MB'
  | 'MB/s'
  | 'KiB/s'
  | 'bytes/s'
  | 'per second'
  | 'requests/s'
  | 'vCPU'
  | 'refused lines';

type Asked = {
  /** The first of them that was measured answers. */
  by: readonly [StudyMeasurementName, ...StudyMeasurementName[]];
  figure: Figure;
  /** Null if today's figure is shown but not compared; then `note` says why. */
  rule: Rule | null;
  /** What stands in for what is gone, or what else differs. */
  note?: string;
};

/** It cannot be measured here. */
type Unasked = { by: null; word: 'not comparable' | 'not measured'; note: string };

/** Within a tenth of a figure: what two machines of one kind may differ by. */
export function about(figure: number, share = 0.1): Rule {
  return { from: figure * (1 - share), to: figure * (1 + share) };
}

/** `within −7 to −5 %`, `at least 1.05 times`, `at most 500 ms`. */
export function ruleInWords({ from, to }: Rule, unit: ClaimUnit): string {
  const print = (value: number) => printNumber(value, ruleDecimals(value));
  const after = unit === '' ? '' : ` ${unit}`;
  if (from !== undefined && to !== undefined)
    return from === to ? `exactly ${print(from)}${after}` : `within ${print(from)} to ${print(to)}${after}`;
  return from === undefined ? `at most ${print(to ?? 0)}${after}` : `at least ${print(from)}${after}`;
}

/** Three digits, and no zeros behind them. */
function ruleDecimals(value: number): number {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  for (let decimals = 0; decimals < digits; decimals++) {
    if (Math.abs(Number(value.toFixed(decimals)) - Number(value.toFixed(digits))) < 1e-9) return decimals;
  }
  return digits;
}
