import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printMs,
  printMsNumber,
  printNumber,
} from '../base/quantity.ts';
import type { Estimate } from '../kinds/comparison/comparison.ts';
import type { FigureChange, FigureName } from '../kinds/comparison/result-changes.ts';
import { type ChangeWord, hasGrown } from './change-words.ts';

/** A change of a figure as text. A center is printed only where the change is certain. */
type FigureChangeWords = {
  from: string;
  to: string;
  change: string;
  interval: string;
  word: ChangeWord;
};

export function printFigureChange(row: FigureChange, figure: FigureName): FigureChangeWords {
  const { from, to, outcome } = row;
  const print = (estimate: Estimate | null) => (estimate === null ? '–' : figures[figure].print(estimate));
  const { center, interval } = shiftOf(row);
  return {
    ...{ from: print(from), to: print(to), interval },
    change: outcome === 'inconclusive' ? '–' : center,
    word: wordOf(row, figure),
  };
}

/** Whether two of a figure are divided or subtracted. */
export function figureScale(figure: FigureName): 'ratio' | 'difference' {
  return figures[figure].scale;
}

type Figure = {
  scale: 'ratio' | 'difference';
  better: 'lower' | 'higher';
  print(estimate: Estimate): string;
};

const figures: Record<FigureName, Figure> = {
  multiple: { scale: 'ratio', better: 'lower', print: ({ center }) => `×${printNumber(center, 2)}` },
  per_second: { scale: 'ratio', better: 'higher', print: ({ center }) => `${printNumber(center, 0)}/s` },
  overhead: { scale: 'ratio', better: 'lower', print: printOverhead },
  us: { scale: 'ratio', better: 'lower', print: ({ center }) => `${printNumber(center, 1)} µs` },
  instructions: { scale: 'ratio', better: 'lower', print: ({ center }) => printNumber(center, 0) },
  ms: { scale: 'difference', better: 'lower', print: ({ center }) => printMs(center) },
};

/** `+12.3 %`; of one that is not certain, only its interval. */
function printOverhead(ratio: Estimate): string {
  const isCertain = ratio.lo > 1 || ratio.hi < 1;
  return isCertain ? printChange(ratio.center, intervalDecimals(ratio)) : printChangeInterval(ratio);
}

function shiftOf({ ratio, delta }: FigureChange): { center: string; interval: string } {
  if (ratio !== null) return { center: printChange(ratio.center, 1), interval: printChangeInterval(ratio) };
  if (delta === null) return { center: '–', interval: '–' };
  const { center, lo, hi } = delta;
  return {
    center: withSign(center, printMs(center)),
    interval: `${withSign(lo, printMsNumber(lo))} to ${withSign(hi, printMs(hi))}`,
  };
}

function withSign(value: number, text: string): string {
  return value > 0 ? `+${text}` : text;
}

function wordOf(row: FigureChange, figure: FigureName): ChangeWord {
  if (row.outcome === 'no_change') return 'No change';
  if (row.outcome === 'inconclusive') return 'Inconclusive';
  if (row.outcome === 'unknown') return 'Not comparable';
  return hasGrown(row) === (figures[figure].better === 'higher') ? 'Better' : 'Worse';
}
